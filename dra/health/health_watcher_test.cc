#include "dra/health/health_watcher.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "dra/health/fake_health_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/recording.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

constexpr absl::Duration kRetry = absl::Seconds(5);

HealthReports Devices(size_t count) { return HealthReports(count, {.pool = "pool", .device = "a"}); }

// Remembers what it heard: how many devices each message had, and that the stream ended.
class Recorder : public HealthObserver, public harness::Recording {
 public:
  using Recording::Recording;

  void OnReports(const HealthSource& source, HealthReports reports) override {
    Add(absl::StrCat(source.id, ": ", reports.size()));
  }
  void OnStreamEnded(const HealthSource& source) override { Add(absl::StrCat(source.id, ": end")); }
};

// A watcher of a fake driver, on whichever threads.
struct World {
  explicit World(Threads& the_threads) : threads(the_threads) {}

  std::unique_ptr<HealthWatcher> Watch(HealthRetry retry = {}) {
    return std::make_unique<HealthWatcher>(HealthWatcher::Dependencies{threads, log, recorder},
                                           HealthSource{.id = 7, .driver_name = "driver", .endpoint = "/d.sock"},
                                           std::make_unique<FakeHealthClient>(feed), retry);
  }

  Threads& threads;
  AwaitingLogger log;
  Recorder recorder{threads};
  fakes::HealthFeed feed{threads};
};

class HealthWatcherTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  World world_{threads_};
};

TEST_F(HealthWatcherTest, EveryMessageIsHeard) {
  const auto watcher = world_.Watch();
  ASSERT_OK(world_.feed.WaitForStreams(1));
  world_.feed.Publish(Devices(2));
  world_.feed.Publish(Devices(3));
  EXPECT_THAT(world_.recorder.Wait(2), ElementsAre("7: 2", "7: 3"));
  EXPECT_EQ(world_.log.Count("Successfully started WatchResources health stream"), 1u);
}

TEST_F(HealthWatcherTest, AStreamThatEndsIsOpenedAgainAWhileLater) {
  world_.feed.Publish(Devices(2));
  const auto watcher = world_.Watch();
  world_.recorder.Wait(1);
  world_.feed.EndAll(absl::OutOfRangeError("EOF"));
  EXPECT_THAT(world_.recorder.Wait(2), ElementsAre("7: 2", "7: end"));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  EXPECT_EQ(clock_.NextAlarm(), clock_.MonotonicNow() + kRetry);
  EXPECT_EQ(world_.feed.stream_count(), 0);
  clock_.Advance(kRetry);
  EXPECT_THAT(world_.recorder.Wait(3), ElementsAre("7: 2", "7: end", "7: 2"));
}

TEST_F(HealthWatcherTest, ADriverWithoutTheServiceIsNotAskedAgain) {
  world_.feed.Refuse(absl::UnimplementedError("unknown service v1.DRAResourceHealth"));
  const auto watcher = world_.Watch();
  ASSERT_TRUE(world_.log.AwaitLine("WatchResources health stream has ended"));
  EXPECT_FALSE(clock_.AwaitAlarms(1, absl::Milliseconds(20)));
  EXPECT_OK(world_.feed.WaitForStreams(1));
  EXPECT_THAT(world_.log.lines(), Not(Contains(IsLogLine(Severity::kError,
                                                         "Error receiving from WatchResources "
                                                         "stream"))));
}

TEST_F(HealthWatcherTest, Until136ADriverWithoutTheServiceIsAskedAgain) {
  world_.feed.Refuse(absl::UnimplementedError("unknown service v1alpha1.DRAResourceHealth"));
  const auto watcher = world_.Watch(HealthRetryOf(**ParsePersonality("1.36")));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(kRetry);
  EXPECT_TRUE(world_.log.AwaitLine("WatchResources health stream has ended", 2));
  EXPECT_FALSE(HealthRetryOf(**ParsePersonality("1.37")).also_unimplemented);
}

TEST_F(HealthWatcherTest, OnlyAnUnexpectedEndIsAnErrorInTheLog) {
  world_.feed.Refuse(absl::CancelledError("cancelled"));
  const auto watcher = world_.Watch();
  for (const absl::Status& how :
       {absl::DeadlineExceededError("late"), absl::OutOfRangeError("EOF"), absl::UnavailableError("Socket closed")}) {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    world_.feed.Refuse(how);
    clock_.Advance(kRetry);
  }
  ASSERT_TRUE(world_.log.AwaitLine("WatchResources health stream has ended", 4));
  EXPECT_EQ(world_.log.Count("Error receiving from WatchResources stream"), 1u);
  EXPECT_THAT(world_.log.lines(),
              Contains(AllOf(IsLogLine(Severity::kError, "Error receiving from WatchResources stream"),
                             HasLogField("pluginName", "driver"), HasLogError("Socket closed"))));
}

TEST_F(HealthWatcherTest, AWatcherIsDestroyedWhileItsStreamHangs) {
  auto watcher = world_.Watch();
  ASSERT_OK(world_.feed.WaitForStreams(1));
  watcher.reset();
  EXPECT_THAT(world_.recorder.heard(), ElementsAre());
}

TEST_F(HealthWatcherTest, AWatcherIsDestroyedWhileItWaitsToTryAgain) {
  world_.feed.Refuse(absl::UnavailableError("Socket closed"));
  auto watcher = world_.Watch();
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  watcher.reset();
  EXPECT_EQ(clock_.NextAlarm(), std::nullopt);
}

TEST(HealthWatcherUnderSeededThreadsTest, StopEndsItInWhateverOrder) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      World world(threads);
      world.feed.Publish(Devices(1));
      auto watcher = world.Watch();
      const std::unique_ptr<Thread> driver =
          threads.Start("driver", [&] { world.feed.EndAll(absl::UnavailableError("Socket closed")); });
      const std::unique_ptr<Thread> stopper = threads.Start("stopper", [&] { watcher->Stop(); });
      threads.Yield();
      watcher->Stop();
      const size_t heard = world.recorder.heard().size();
      EXPECT_LE(heard, 3u);
    })) << "seed "
        << seed;
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
