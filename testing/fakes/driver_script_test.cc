#include "testing/fakes/driver_script.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DriverMethod kPrepare = DriverMethod::kPrepare;

class DriverScriptTest : public ::testing::Test {
 protected:
  absl::StatusOr<DriverStep> Begin(DriverCall call) { return script_.Begin(session_, std::move(call)); }

  RealClock clock_;
  RealThreads threads_{clock_};
  DriverScript script_{threads_};
  const DriverScript::SessionId session_ = script_.OpenSession();
};

TEST_F(DriverScriptTest, StepsAreForOneCallOrForTheOthers) {
  script_.At(kPrepare, 2, {.act = DriverAct::kSkipClaim});
  script_.Always(kPrepare, {.act = DriverAct::kFail, .error = absl::NotFoundError("no")});
  EXPECT_THAT(Begin({.method = kPrepare}), StatusIs(absl::StatusCode::kNotFound, "no"));
  EXPECT_EQ(Begin({.method = kPrepare})->act, DriverAct::kSkipClaim);
  EXPECT_EQ(Begin({.method = DriverMethod::kUnprepare})->act, DriverAct::kAnswer);
}

TEST_F(DriverScriptTest, CallsAreKeptInOrder) {
  const DriverCall first{.method = kPrepare, .claim_uids = {"b", "a"}};
  ASSERT_OK(Begin(first).status());
  ASSERT_OK(Begin({.method = DriverMethod::kGetInfo}).status());
  EXPECT_THAT(script_.Calls(), ElementsAre(first, DriverCall{.method = DriverMethod::kGetInfo}));
  EXPECT_THAT(script_.WaitForCall(kPrepare, 1), IsOkAndHolds(first));
}

TEST_F(DriverScriptTest, CallThatDoesNotComeIsReportedWithThoseThatDid) {
  ASSERT_OK(Begin({.method = kPrepare, .claim_uids = {"a"}}).status());
  EXPECT_THAT(script_.WaitForCall(kPrepare, 2, absl::ZeroDuration()),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("NodePrepareResources(a)")));
}

TEST_F(DriverScriptTest, HeldCallGoesOnWhenItIsReleasedOrItsSessionCloses) {
  script_.Always(kPrepare, {.held = true});
  const std::unique_ptr<Thread> released = threads_.Start("1", [this] { EXPECT_OK(Begin({}).status()); });
  ASSERT_OK(script_.WaitForCall(kPrepare, 1));
  const std::unique_ptr<Thread> cut =
      threads_.Start("2", [this] { EXPECT_THAT(Begin({}), StatusIs(absl::StatusCode::kUnavailable)); });
  ASSERT_OK(script_.WaitForCall(kPrepare, 2));
  script_.Release(kPrepare, 1);
  script_.CloseSession(session_, absl::UnavailableError("gone"));
}

}  // namespace
}  // namespace kubelet_cm::fakes
