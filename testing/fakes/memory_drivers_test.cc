#include "testing/fakes/memory_drivers.h"

#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

class MemoryDriversTest : public testing::Test {
 protected:
  MemoryDriversTest() { drivers_.Add("gpu"); }
  absl::Status Prepare(const std::shared_ptr<dra::DraClient>& client) {
    return client->Prepare(std::vector<dra::ClaimRef>{{.id = {"ns", "claim", "uid"}}}, absl::Seconds(1)).status();
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  MemoryDrivers drivers_{threads_};
};

TEST_F(MemoryDriversTest, ADriverIsFoundAsLongAsItIsRegistered) {
  ASSERT_OK_AND_ASSIGN(const auto client, drivers_.Find("gpu"));
  EXPECT_OK(Prepare(client));
  drivers_.Leave("gpu");
  EXPECT_EQ(drivers_.Find("gpu").status(), absl::NotFoundError("DRA driver gpu is not registered"));
  EXPECT_FALSE(Prepare(client).ok());
  drivers_.ComeBack("gpu");
  ASSERT_OK_AND_ASSIGN(const auto again, drivers_.Find("gpu"));
  EXPECT_OK(Prepare(again));
}

TEST_F(MemoryDriversTest, WhatWasPreparedOutlivesConnections) {
  ASSERT_OK_AND_ASSIGN(const auto client, drivers_.Find("gpu"));
  ASSERT_OK(Prepare(client));
  drivers_.CutOff();
  EXPECT_FALSE(Prepare(client).ok());
  EXPECT_FALSE(drivers_.Find("gpu").ok());
  drivers_.Reconnect();
  EXPECT_OK(drivers_.Find("gpu"));
  EXPECT_THAT(drivers_.driver("gpu").PreparedClaims(), testing::ElementsAre("uid"));
}

}  // namespace
}  // namespace kubelet_cm::fakes
