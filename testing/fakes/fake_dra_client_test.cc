#include "testing/fakes/fake_dra_client.h"

#include <memory>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FakeDraClientTest : public testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  ScriptedDriver driver_{threads_, {}};
  FakeDraClient client_{threads_, driver_};
  const std::vector<dra::ClaimRef> claims_ = {{.id = {"ns", "claim", "uid"}}};
};

TEST_F(FakeDraClientTest, CallsReachTheDriver) {
  ASSERT_OK_AND_ASSIGN(const dra::ClaimAnswers answers, client_.Prepare(claims_, dra::kDraCallTimeout));
  EXPECT_EQ(answers.at("uid").devices, OneDevice(claims_[0].id));
  EXPECT_THAT(driver_.PreparedClaims(), ElementsAre("uid"));
  ASSERT_OK(client_.Unprepare(claims_, dra::kDraCallTimeout));
  EXPECT_THAT(driver_.PreparedClaims(), IsEmpty());
}

TEST_F(FakeDraClientTest, ACallThatIsHeldEndsWithTheConnection) {
  driver_.script().At(DriverMethod::kPrepare, 1, {.held = true});
  absl::Status outcome;
  {
    const auto caller =
        threads_.Start("caller", [&] { outcome = client_.Prepare(claims_, absl::Seconds(1)).status(); });
    ASSERT_OK(driver_.script().WaitForCall(DriverMethod::kPrepare, 1));
    client_.Disconnect();
  }
  EXPECT_EQ(outcome.code(), absl::StatusCode::kCancelled);
  EXPECT_THAT(driver_.PreparedClaims(), IsEmpty());
}

TEST(FakeDraClientUnderSeededThreadsTest, ACallThatIsHeldEndsWhenItsTimeIsOver) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 1});
  EXPECT_OK(threads.Run([&] {
    ScriptedDriver driver(threads, {});
    FakeDraClient client(threads, driver);
    driver.script().Always(DriverMethod::kUnprepare, {.held = true});
    const std::vector<dra::ClaimRef> claims = {{.id = {"ns", "claim", "uid"}}};
    EXPECT_EQ(client.Unprepare(claims, dra::kDraCallTimeout).status().code(), absl::StatusCode::kDeadlineExceeded);
  }));
}

TEST_F(FakeDraClientTest, TheConnectionIsThereUntilItIsEnded) {
  ASSERT_OK_AND_ASSIGN(const bool connected, client_.WaitForConnectionChange(false));
  EXPECT_TRUE(connected);
  client_.Disconnect();
  EXPECT_EQ(client_.WaitForConnectionChange(true).status().code(), absl::StatusCode::kCancelled);
  EXPECT_EQ(client_.WaitForConnectionChange(false).status().code(), absl::StatusCode::kCancelled);
}

}  // namespace
}  // namespace kubelet_cm::fakes
