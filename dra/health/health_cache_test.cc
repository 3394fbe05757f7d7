#include "dra/health/health_cache.h"

#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kDriver[] = "gpu.example.com";
constexpr HealthValue kHealthy = HealthValue::kHealthy;
constexpr HealthValue kUnhealthy = HealthValue::kUnhealthy;

HealthInstant At(int64_t seconds) {
  return {MonotonicTime::FromStart(absl::Seconds(seconds)), absl::FromUnixSeconds(1'000'000 + seconds)};
}

HealthReport Of(const std::string& device, HealthValue health, const std::string& message = "") {
  return {.pool = "pool", .device = device, .health = health, .message = message};
}

HealthReports Many(size_t count) {
  HealthReports reports;
  for (size_t i = 0; i < count; ++i) reports.push_back(Of("dev-" + std::to_string(i), kHealthy));
  return reports;
}

class HealthCacheTest : public ::testing::Test {
 protected:
  std::vector<std::string> Update(HealthSourceId source, const HealthReports& reports, int64_t at) {
    return Names(cache_.Update(kDriver, source, reports, At(at), &findings_));
  }
  std::vector<std::string> Remove(HealthSourceId source) { return Names(cache_.RemoveSource(kDriver, source)); }
  std::vector<std::string> Expire(int64_t at) { return Names(cache_.Expire(At(at).monotonic)); }
  std::string Read(const std::string& device, int64_t at) {
    const DeviceCondition condition = cache_.Read({kDriver, "pool", device}, At(at).monotonic);
    return condition.message.empty() ? condition.health : condition.health + ": " + condition.message;
  }
  std::vector<std::string> Names(const HealthChange& change) {
    last_ = change;
    std::vector<std::string> names;
    for (const DeviceName& name : change.devices) names.push_back(name.device);
    return names;
  }

  HealthCache cache_;
  HealthFindings findings_;
  HealthChange last_;
};

TEST_F(HealthCacheTest, ADeviceThatNobodySpokeOfIsUnknown) {
  EXPECT_EQ(Read("a", 0), "Unknown");
  EXPECT_EQ(cache_.NextTimeout(), std::nullopt);
  EXPECT_THAT(*cache_.State(), IsEmpty());
}

TEST_F(HealthCacheTest, WhatIsSaidIsReadAndChangesAreTold) {
  EXPECT_THAT(Update(1, {Of("b", kHealthy), Of("a", kUnhealthy, "hot")}, 0), ElementsAre("a", "b"));
  EXPECT_EQ(Read("a", 0), "Unhealthy: hot");
  EXPECT_EQ(Read("b", 0), "Healthy");
  EXPECT_THAT(Update(1, {Of("b", kHealthy), Of("a", kUnhealthy, "very hot")}, 1), ElementsAre("a"));
  EXPECT_THAT(Update(1, {Of("b", kUnhealthy), Of("a", kUnhealthy, "very hot")}, 2), ElementsAre("b"));
}

TEST_F(HealthCacheTest, ARepetitionChangesNothing) {
  Update(1, {Of("a", kHealthy)}, 0);
  EXPECT_TRUE(last_.state_changed);
  EXPECT_THAT(Update(1, {Of("a", kHealthy)}, 10), IsEmpty());
  EXPECT_FALSE(last_.state_changed);
  EXPECT_EQ(Read("a", 40), "Healthy");
}

TEST_F(HealthCacheTest, AnotherTimeoutIsForTheFileAlone) {
  Update(1, {Of("a", kHealthy)}, 0);
  EXPECT_THAT(Update(1, {{.pool = "pool", .device = "a", .health = kHealthy, .timeout_seconds = 90}}, 1), IsEmpty());
  EXPECT_TRUE(last_.state_changed);
}

TEST_F(HealthCacheTest, DriversAndPoolsHaveDevicesOfTheSameNames) {
  Update(1, {Of("a", kHealthy), {.pool = "other", .device = "a", .health = kUnhealthy}}, 0);
  cache_.Update("nic.example.com", 2, {Of("a", kUnhealthy, "no link")}, At(0), &findings_);
  EXPECT_EQ(Read("a", 0), "Healthy");
  EXPECT_EQ(cache_.Read({kDriver, "other", "a"}, At(0).monotonic).health, "Unhealthy");
  EXPECT_EQ(cache_.Read({"nic.example.com", "pool", "a"}, At(0).monotonic).message, "no link");
}

TEST_F(HealthCacheTest, ADeviceThatIsMentionedTwiceIsAsWasSaidLast) {
  Update(1, {Of("a", kHealthy)}, 0);
  EXPECT_THAT(Update(1, {Of("a", kUnhealthy), Of("a", kHealthy)}, 1), IsEmpty());
  EXPECT_EQ(Read("a", 1), "Healthy");
}

TEST_F(HealthCacheTest, ADeviceThatIsNotMentionedIsAsItWasUntilThatTimesOut) {
  Update(1, {Of("a", kHealthy), Of("b", kHealthy)}, 0);
  EXPECT_THAT(Update(1, {Of("b", kHealthy)}, 30), IsEmpty());
  EXPECT_EQ(Read("a", 30), "Healthy");
  EXPECT_THAT(Update(1, {Of("b", kHealthy)}, 31), ElementsAre("a"));
  EXPECT_EQ(Read("a", 31), "Unknown");
}

TEST_F(HealthCacheTest, SilenceIsUnknownToReadersAtOnceAndToldByExpire) {
  Update(1, {Of("a", kUnhealthy, "hot"), {.pool = "pool", .device = "b", .health = kHealthy, .timeout_seconds = 5}}, 0);
  EXPECT_EQ(*cache_.NextTimeout(), At(5).monotonic + absl::Nanoseconds(1));
  EXPECT_THAT(Expire(5), IsEmpty());
  EXPECT_EQ(Read("b", 5), "Healthy");
  EXPECT_EQ(Read("b", 6), "Unknown");
  EXPECT_THAT(Expire(6), ElementsAre("b"));
  EXPECT_TRUE(last_.state_changed);
  EXPECT_EQ(Read("a", 30), "Unhealthy: hot");
  EXPECT_EQ(Read("a", 31), "Unknown");
  EXPECT_THAT(Expire(31), ElementsAre("a"));
  EXPECT_EQ(cache_.NextTimeout(), std::nullopt);
}

// A reader may have been told in between that it is unknown, and must hear that this is over.
TEST_F(HealthCacheTest, AReportThatComesTooLateIsAChangeThoughItSaysTheSame) {
  Update(1, {Of("a", kHealthy)}, 0);
  EXPECT_EQ(Read("a", 31), "Unknown");
  EXPECT_THAT(Update(1, {Of("a", kHealthy)}, 31), ElementsAre("a"));
}

TEST_F(HealthCacheTest, SilenceAboutWhatWasUnknownIsNoNews) {
  EXPECT_THAT(Update(1, {Of("a", HealthValue::kUnknown)}, 0), IsEmpty());
  EXPECT_TRUE(last_.state_changed);
  EXPECT_THAT(Expire(31), IsEmpty());
  EXPECT_TRUE(last_.state_changed);
  EXPECT_THAT(*cache_.State(), IsEmpty());
}

TEST_F(HealthCacheTest, OfTwoInstancesTheLastWordCounts) {
  Update(1, {Of("a", kHealthy)}, 0);
  EXPECT_THAT(Update(2, {Of("a", kUnhealthy)}, 1), ElementsAre("a"));
  EXPECT_THAT(Update(1, {Of("a", kHealthy)}, 2), ElementsAre("a"));
  EXPECT_EQ(Read("a", 2), "Healthy");
}

TEST_F(HealthCacheTest, TheEndOfOneInstanceTakesOnlyItsOwnWordBack) {
  Update(1, {Of("a", kUnhealthy), Of("b", kHealthy), Of("c", kHealthy)}, 0);
  Update(2, {Of("a", kHealthy), Of("b", kHealthy)}, 1);
  EXPECT_THAT(Remove(1), ElementsAre("c"));
  EXPECT_EQ(Read("a", 1), "Healthy");
  EXPECT_EQ(Read("b", 1), "Healthy");
  EXPECT_EQ(Read("c", 1), "Unknown");
  EXPECT_THAT(Remove(1), IsEmpty());
  EXPECT_FALSE(last_.state_changed);
}

TEST_F(HealthCacheTest, WhenTheLastWordIsTakenBackTheOneBeforeCountsAgain) {
  Update(1, {Of("a", kUnhealthy, "hot")}, 0);
  Update(2, {{.pool = "pool", .device = "a", .health = kHealthy, .timeout_seconds = 5}}, 1);
  EXPECT_EQ(Read("a", 7), "Unhealthy: hot");
  EXPECT_THAT(Expire(7), ElementsAre("a"));
  Update(2, {Of("a", kHealthy)}, 8);
  EXPECT_THAT(Remove(2), ElementsAre("a"));
  EXPECT_EQ(Read("a", 8), "Unhealthy: hot");
}

TEST_F(HealthCacheTest, DevicesBeyondTheLimitAreIgnoredAndThoseKnownAreNot) {
  Update(1, Many(kMaxHealthDevices + 2), 0);
  EXPECT_EQ(findings_, (HealthFindings{.beyond_limit = 2}));
  EXPECT_EQ(Read("dev-16383", 0), "Healthy");
  EXPECT_EQ(Read("dev-16384", 0), "Unknown");
  EXPECT_THAT(Update(2, {Of("new", kHealthy), Of("dev-7", kUnhealthy)}, 1), ElementsAre("dev-7"));
  EXPECT_EQ(findings_.beyond_limit, 3u);
  EXPECT_THAT(Update(2, {Of("new", kHealthy)}, 40), SizeIs(kMaxHealthDevices + 1));  // what timed out made room
  EXPECT_EQ(Read("new", 40), "Healthy");
}

TEST_F(HealthCacheTest, OddMessagesAreTakenAsFarAsTheyGo) {
  const std::string long_name(254, 'x');
  Update(1,
         {Of("", kHealthy),
          Of(long_name, kHealthy),
          {.pool = long_name, .device = "a", .health = kHealthy},
          {.pool = "pool", .device = "b", .health = kHealthy, .timeout_seconds = -1},
          Of("c", kUnhealthy, std::string(1025, 'x'))},
         0);
  EXPECT_EQ(findings_, (HealthFindings{.bad_names = 3, .negative_timeouts = 1, .cut_messages = 1}));
  EXPECT_EQ(Read("b", 30), "Healthy");
  EXPECT_EQ(Read("b", 31), "Unknown");
  EXPECT_EQ(Read("c", 0), "Unhealthy: " + std::string(1021, 'x') + "...");
}

TEST_F(HealthCacheTest, ATimeoutMayBeLongerThanAnyClockRuns) {
  constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
  Update(1, {{.pool = "pool", .device = "a", .health = kHealthy, .timeout_seconds = kForever}}, 0);
  EXPECT_EQ(Read("a", 1'000'000'000), "Healthy");
  EXPECT_EQ(cache_.State()->at(kDriver).devices->at("pool/a").check_timeout_ns, kForever);
}

TEST_F(HealthCacheTest, TheStateIsWhatCountsOfEachDevice) {
  Update(1, {Of("a", kHealthy), {.pool = "pool", .device = "b", .health = kHealthy, .timeout_seconds = 5}}, 0);
  Update(2, {Of("a", kUnhealthy, "hot")}, 1);
  const DeviceHealth a{.pool_name = "pool",
                       .device_name = "a",
                       .health = "Unhealthy",
                       .last_updated = "1970-01-12T13:46:41Z",
                       .check_timeout_ns = 30'000'000'000,
                       .message = "hot"};
  const HealthState state = cache_.State();
  ASSERT_THAT(*state->at(kDriver).devices, SizeIs(2));
  EXPECT_EQ(state->at(kDriver).devices->at("pool/a"), a);
  EXPECT_EQ(state->at(kDriver).devices->at("pool/b").check_timeout_ns, 5'000'000'000);
}

class RestoredHealthTest : public HealthCacheTest {
 protected:
  RestoredHealthTest() {
    HealthCache before;
    before.Update(kDriver, 7, {Of("a", kUnhealthy, "hot"), Of("b", kHealthy)}, At(0), &findings_);
    state_ = before.State();
  }
  HealthState state_;
};

TEST_F(RestoredHealthTest, CountsUntilItTimesOut) {
  cache_.Restore(state_, At(20));
  EXPECT_EQ(Read("a", 30), "Unhealthy: hot");
  EXPECT_EQ(Read("a", 31), "Unknown");
  EXPECT_THAT(Expire(31), ElementsAre("a", "b"));
}

TEST_F(RestoredHealthTest, IsTheSameStateAgain) {
  cache_.Restore(state_, At(20));
  EXPECT_EQ(cache_.State(), state_);
}

TEST_F(RestoredHealthTest, WhatTimedOutInBetweenIsForgotten) {
  cache_.Restore(state_, At(31));
  EXPECT_THAT(*cache_.State(), IsEmpty());
}

TEST_F(RestoredHealthTest, AClockThatWasSetBackMakesNothingNewerThanNow) {
  const HealthInstant now{At(0).monotonic, At(0).wall - absl::Hours(1)};
  cache_.Restore(state_, now);
  EXPECT_EQ(Read("b", 30), "Healthy");
  EXPECT_EQ(Read("b", 31), "Unknown");
}

TEST_F(RestoredHealthTest, GivesWayToTheFirstReportAndDoesNotComeBack) {
  cache_.Restore(state_, At(10));
  EXPECT_THAT(Update(1, {Of("a", kHealthy)}, 11), ElementsAre("a"));
  EXPECT_THAT(Remove(1), ElementsAre("a"));
  EXPECT_EQ(Read("a", 11), "Unknown");
  EXPECT_EQ(Read("b", 11), "Healthy");
}

TEST_F(RestoredHealthTest, NonsenseInTheFileIsLeftOut) {
  (*state_)["nil"] = {};
  auto& devices = *(*state_)[kDriver].devices;
  devices["pool/"] = {.pool_name = "pool", .last_updated = "1970-01-12T13:46:40Z"};
  devices["pool/c"] = {.pool_name = "pool", .device_name = "c", .health = "Healthy"};  // never updated
  devices["pool/d"] = {.pool_name = "pool",
                       .device_name = "d",
                       .health = "splendid",
                       .last_updated = "1970-01-12T13:46:40Z",
                       .check_timeout_ns = -1};
  cache_.Restore(state_, At(0));
  EXPECT_THAT(*cache_.State(), SizeIs(1));
  EXPECT_THAT(*cache_.State()->at(kDriver).devices, SizeIs(3));
  EXPECT_EQ(Read("c", 0), "Unknown");
  EXPECT_EQ(Read("d", 0), "Unknown");
  cache_.Restore(std::nullopt, At(0));
}

}  // namespace
}  // namespace kubelet_cm::dra
