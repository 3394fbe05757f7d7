#include "testing/scenarios/driver_presence.h"

#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DriverPresenceTest : public testing::Test {
 protected:
  void Start(const std::string& driver, bool stays_away = false) {
    proto::StartDriver start;
    start.set_driver(driver);
    start.set_stays_away(stays_away);
    presence_.Start(start);
  }
  bool IsFound(const std::string& driver) const { return drivers_.Find(driver).ok(); }

  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  CdiFolder cdi_{files_, kCdiFolder};
  fakes::MemoryDrivers drivers_{threads_};
  DriverPresence presence_{drivers_, cdi_};
};

TEST_F(DriverPresenceTest, OneThatStopsIsNotFoundBeforeItComesBack) {
  Start("a");
  Start("b");
  EXPECT_OK(presence_.Stop("a"));
  EXPECT_THAT(presence_.Up(), ElementsAre("b"));
  EXPECT_FALSE(IsFound("a"));
  Start("a");
  EXPECT_THAT(presence_.Up(), ElementsAre("a", "b"));
  EXPECT_TRUE(IsFound("a"));
}

TEST_F(DriverPresenceTest, OneThatIsNotUpCannotStopOrBeUnlinked) {
  EXPECT_THAT(presence_.Stop("a"), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_THAT(presence_.Unlink("a"), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(DriverPresenceTest, OneWhoseSocketIsGoneLivesOnUntilTheMachineStops) {
  Start("a");
  EXPECT_OK(presence_.Unlink("a"));
  EXPECT_THAT(presence_.Up(), IsEmpty());
  EXPECT_FALSE(IsFound("a"));
  EXPECT_OK(presence_.Stop("a"));
  Start("a");
  presence_.PowerOff();
  EXPECT_THAT(presence_.Stop("a"), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(DriverPresenceTest, OneThatStaysAwayIsNotFoundByTheNextKubelet) {
  Start("a", true);
  Start("b");
  EXPECT_TRUE(IsFound("a"));
  presence_.KubeletStarts();
  EXPECT_FALSE(IsFound("a"));
  EXPECT_TRUE(IsFound("b"));
}

TEST_F(DriverPresenceTest, WhatWasPreparedIsForgottenWhenTheMachineIsOffAndNotBefore) {
  Start("a");
  ASSERT_OK_AND_ASSIGN(const auto client, drivers_.Find("a"));
  ASSERT_OK(client->Prepare(std::vector<dra::ClaimRef>{{.id = {"ns", "c", "uid"}}}, absl::Seconds(1)));
  EXPECT_THAT(*files_.List(kCdiFolder), ElementsAre("a-uid.json"));
  EXPECT_OK(presence_.Stop("a"));
  EXPECT_THAT(drivers_.driver("a").PreparedClaims(), ElementsAre("uid"));
  presence_.PowerOff();
  EXPECT_THAT(drivers_.driver("a").PreparedClaims(), IsEmpty());
}

TEST_F(DriverPresenceTest, OneThatDiesByItselfIsNotUp) {
  Start("a");
  drivers_.driver("a").script().At(fakes::DriverMethod::kPrepare, 1, {.act = fakes::DriverAct::kDie});
  ASSERT_OK_AND_ASSIGN(const auto client, drivers_.Find("a"));
  EXPECT_FALSE(client->Prepare({}, absl::Seconds(1)).ok());
  EXPECT_THAT(presence_.Up(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::scenarios
