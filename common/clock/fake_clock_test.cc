#include "common/clock/fake_clock.h"

#include <string>
#include <vector>

#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FakeClockTest, AdvanceMovesBothTimes) {
  FakeClock clock;
  const absl::Time wall = clock.WallNow();
  const MonotonicTime monotonic = clock.MonotonicNow();
  clock.Advance(absl::Seconds(5));
  EXPECT_EQ(clock.WallNow() - wall, absl::Seconds(5));
  EXPECT_EQ(clock.MonotonicNow() - monotonic, absl::Seconds(5));
}

TEST(FakeClockTest, JumpingTheWallLeavesMonotonicTimeAlone) {
  FakeClock clock;
  const absl::Time wall = clock.WallNow();
  const MonotonicTime monotonic = clock.MonotonicNow();
  clock.JumpWall(-absl::Hours(1));
  EXPECT_EQ(clock.WallNow() - wall, -absl::Hours(1));
  EXPECT_EQ(clock.MonotonicNow(), monotonic);
}

TEST(FakeClockTest, WallThatWasSetMovesOnFromThere) {
  FakeClock clock;
  clock.Advance(absl::Seconds(7));
  clock.SetWall(absl::FromUnixSeconds(1000));
  clock.Advance(absl::Seconds(1));
  EXPECT_EQ(clock.WallNow(), absl::FromUnixSeconds(1001));
}

TEST(FakeClockTest, AlarmsRingInOrderOfInstantThenOfSetting) {
  FakeClock clock;
  std::vector<std::string> rung;
  const MonotonicTime start = clock.MonotonicNow();
  clock.SetAlarm(start + absl::Seconds(2), [&] { rung.push_back("late"); });
  clock.SetAlarm(start + absl::Seconds(1), [&] { rung.push_back("early, first set"); });
  clock.SetAlarm(start + absl::Seconds(1), [&] { rung.push_back("early, then set"); });
  clock.SetAlarm(start + absl::Seconds(4), [&] { rung.push_back("beyond"); });
  clock.Advance(absl::Seconds(3));
  EXPECT_THAT(rung, ElementsAre("early, first set", "early, then set", "late"));
  EXPECT_EQ(clock.MonotonicNow(), start + absl::Seconds(3));
}

TEST(FakeClockTest, AlarmRingsWithTheClockAtItsInstant) {
  FakeClock clock;
  MonotonicTime seen;
  const MonotonicTime due = clock.MonotonicNow() + absl::Seconds(1);
  clock.SetAlarm(due, [&] { seen = clock.MonotonicNow(); });
  clock.Advance(absl::Seconds(10));
  EXPECT_EQ(seen, due);
}

TEST(FakeClockTest, AlarmSetByAnAlarmRingsWithinTheSameAdvance) {
  FakeClock clock;
  std::vector<absl::Duration> rung;
  absl::AnyInvocable<void()> ring = [&] {
    rung.push_back(clock.MonotonicNow().since_start());
    clock.SetAlarm(clock.MonotonicNow() + absl::Seconds(2), [&] { ring(); });
  };
  clock.SetAlarm(clock.MonotonicNow() + absl::Seconds(2), [&] { ring(); });
  clock.Advance(absl::Seconds(6));
  EXPECT_THAT(rung, ElementsAre(absl::Seconds(2), absl::Seconds(4), absl::Seconds(6)));
  EXPECT_EQ(clock.NextAlarm(), clock.MonotonicNow() + absl::Seconds(2));
}

TEST(FakeClockTest, PastAlarmRingsAtTheNextAdvanceAndTimeDoesNotGoBack) {
  FakeClock clock;
  clock.Advance(absl::Seconds(10));
  MonotonicTime seen;
  clock.SetAlarm(clock.MonotonicNow() - absl::Seconds(5), [&] { seen = clock.MonotonicNow(); });
  clock.Advance(absl::ZeroDuration());
  EXPECT_EQ(seen, clock.MonotonicNow());
}

TEST(FakeClockTest, RemovedAlarmDoesNotRing) {
  FakeClock clock;
  std::vector<std::string> rung;
  const FakeClock::AlarmId alarm =
      clock.SetAlarm(clock.MonotonicNow() + absl::Seconds(1), [&] { rung.push_back("removed"); });
  EXPECT_TRUE(clock.RemoveAlarm(alarm));
  EXPECT_FALSE(clock.RemoveAlarm(alarm));
  clock.Advance(absl::Seconds(2));
  EXPECT_THAT(rung, IsEmpty());
  EXPECT_EQ(clock.NextAlarm(), std::nullopt);
}

TEST(FakeClockTest, AdvanceWakesAThreadWhoseDeadlinePassed) {
  FakeClock clock;
  const MonotonicTime deadline = clock.MonotonicNow() + absl::Seconds(60);
  RealThreads threads(clock);
  auto waiting = threads.Start("waiting", [&] { clock.ParkUntil(std::make_shared<Parker>(), deadline); });
  ASSERT_TRUE(clock.AwaitAlarms(1));
  clock.Advance(absl::Seconds(60));
  waiting.reset();
}

TEST(FakeClockTest, ParkUntilAPastDeadlineReturnsAtOnce) {
  FakeClock clock;
  clock.ParkUntil(std::make_shared<Parker>(), clock.MonotonicNow());
  EXPECT_EQ(clock.NextAlarm(), std::nullopt);
}

TEST(FakeClockTest, UnparkedThreadTakesItsAlarmAlong) {
  FakeClock clock;
  const auto parker = std::make_shared<Parker>();
  parker->Unpark();
  clock.ParkUntil(parker, clock.MonotonicNow() + absl::Seconds(1));
  EXPECT_EQ(clock.NextAlarm(), std::nullopt);
}

TEST(FakeClockTest, AwaitAlarmsGivesUpAfterItsLimit) {
  FakeClock clock;
  EXPECT_FALSE(clock.AwaitAlarms(1, absl::Milliseconds(1)));
}

TEST(FakeClockDeathTest, AdvancingInsideAnAlarmIsABug) {
  FakeClock clock;
  clock.SetAlarm(clock.MonotonicNow(), [&] { clock.Advance(absl::Seconds(1)); });
  EXPECT_DEATH(clock.Advance(absl::Seconds(1)), "is being advanced");
}

TEST(FakeClockDeathTest, MonotonicTimeDoesNotGoBack) {
  FakeClock clock;
  EXPECT_DEATH(clock.Advance(-absl::Seconds(1)), "does not go back");
}

}  // namespace
}  // namespace kubelet_cm
