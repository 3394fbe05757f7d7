// Lives without servers; those with servers are in the tests of the fakes.
#include "testing/fakes/served_lives.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ServedLivesTest : public ::testing::Test {
 protected:
  static std::unique_ptr<ServedLives::Life> Life(ServedLives::SessionId session) {
    auto life = std::make_unique<ServedLives::Life>();
    life->session = session;
    return life;
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  std::vector<std::string> closed_;
  ServedLives lives_{threads_, [this](ServedLives::SessionId session, const absl::Status& why) {
                       closed_.push_back(absl::StrCat(session, ": ", why.message()));
                     }};
};

TEST_F(ServedLivesTest, ALifeThatIsReplacedIsDownWhenItWasEnded) {
  EXPECT_EQ(lives_.Replace(Life(1)), nullptr);
  EXPECT_EQ(lives_.session(), 1u);
  auto replaced = lives_.Replace(nullptr);
  EXPECT_EQ(lives_.session(), std::nullopt);
  EXPECT_THAT(lives_.WaitUntilDown(absl::ZeroDuration()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  lives_.End(std::move(replaced), absl::UnavailableError("enough"));
  EXPECT_OK(lives_.WaitUntilDown(absl::ZeroDuration()));
  EXPECT_THAT(closed_, ElementsAre("1: enough"));
}

TEST_F(ServedLivesTest, TheDeadAreBuriedAndTheLivingAreNot) {
  lives_.Replace(Life(1));
  lives_.BuryTheDead();
  EXPECT_THAT(closed_, IsEmpty());
  lives_.Died(1);
  lives_.BuryTheDead();
  EXPECT_THAT(closed_, ElementsAre("1: Socket closed"));
  lives_.Replace(Life(2));
  lives_.BuryTheDead();
  EXPECT_EQ(lives_.session(), 2u);
  EXPECT_THAT(lives_.WaitUntilDown(absl::ZeroDuration()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  lives_.End(lives_.Replace(nullptr));
}

}  // namespace
}  // namespace kubelet_cm::fakes
