#include "testing/fakes/scripted_driver.h"

#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Key;

constexpr DriverMethod kPrepare = DriverMethod::kPrepare;

class ScriptedDriverTest : public ::testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  ScriptedDriver driver_{threads_, {}};
  const DriverScript::SessionId session_ = driver_.script().OpenSession();
  const ScriptedDriver::Claims claims_ = {{"ns", "a", "uid-a"}, {"ns", "b", "uid-b"}};
};

TEST_F(ScriptedDriverTest, RemembersWhatIsPrepared) {
  ASSERT_OK_AND_ASSIGN(const dra::ClaimAnswers answers, driver_.Prepare(session_, claims_));
  EXPECT_EQ(answers.at("uid-a").devices, OneDevice(claims_[0]));
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid-a", "uid-b"));
  ASSERT_OK_AND_ASSIGN(const dra::ClaimAnswers gone, driver_.Unprepare(session_, claims_));
  EXPECT_THAT(gone.at("uid-a").devices, IsEmpty());
  EXPECT_THAT(driver_.PreparedClaims(), IsEmpty());
}

TEST_F(ScriptedDriverTest, FirstClaimIsSkippedOrRefused) {
  driver_.script().At(kPrepare, 1, {.act = DriverAct::kSkipClaim});
  EXPECT_THAT(*driver_.Prepare(session_, claims_), ElementsAre(Key("uid-b")));
  driver_.script().At(kPrepare, 2, {.act = DriverAct::kClaimError, .error = absl::InternalError("busy")});
  EXPECT_EQ(driver_.Prepare(session_, claims_)->at("uid-a").error, "busy");
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid-b"));
}

TEST_F(ScriptedDriverTest, AnswersNonsense) {
  driver_.script().At(kPrepare, 1, {.act = DriverAct::kUnknownClaim});
  EXPECT_THAT(*driver_.Prepare(session_, claims_), ElementsAre(Key("nobody-mentioned-me"), Key("uid-a"), Key("uid-b")));
  driver_.script().At(kPrepare, 2, {.act = DriverAct::kNoDevices});
  EXPECT_THAT(driver_.Prepare(session_, claims_)->at("uid-a").devices, IsEmpty());
}

TEST_F(ScriptedDriverTest, DeathIsToldAndEndsTheSession) {
  std::string died;
  driver_.OnDeath([&](DriverScript::SessionId session) { died += std::to_string(session); });
  driver_.script().At(kPrepare, 1, {.act = DriverAct::kDie});
  EXPECT_THAT(driver_.Prepare(session_, claims_), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(driver_.Unprepare(session_, claims_), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_EQ(died, std::to_string(session_));
}

}  // namespace
}  // namespace kubelet_cm::fakes
