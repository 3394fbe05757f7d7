#include "dra/slices/model_watcher.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "dra/slices/fake_model_client.h"
#include "dra/slices/slice_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/recording.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kStopping[] = "Stopping to monitor node resources of the plugin";

// Remembers how many models each message had.
class Recorder : public ModelObserver, public harness::Recording {
 public:
  using Recording::Recording;

  void OnModels(const ModelSource& source, ResourceModels models) override {
    Add(absl::StrCat(source.id, ": ", models.size()));
  }
};

// A watcher of a fake driver, on whichever threads.
struct World {
  explicit World(Threads& the_threads) : threads(the_threads) {}

  std::unique_ptr<ModelWatcher> Watch() {
    return std::make_unique<ModelWatcher>(ModelWatcher::Dependencies{threads, log, recorder},
                                          ModelSource{.id = 7, .driver_name = "driver"},
                                          std::make_unique<FakeModelClient>(feed));
  }

  Threads& threads;
  AwaitingLogger log;
  Recorder recorder{threads};
  fakes::ModelFeed feed{threads};
};

class ModelWatcherTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  World world_{threads_};
};

TEST_F(ModelWatcherTest, EveryMessageIsHeard) {
  const auto watcher = world_.Watch();
  ASSERT_OK(world_.feed.WaitForStreams(1));
  world_.feed.Publish({ModelOf("a")});
  world_.feed.Publish({ModelOf("a"), ModelOf("b")});
  world_.feed.Publish({});
  EXPECT_THAT(world_.recorder.Wait(3), ElementsAre("7: 1", "7: 2", "7: 0"));
}

TEST_F(ModelWatcherTest, AStreamThatFailsIsOpenedAgainFiveSecondsLater) {
  world_.feed.Publish({ModelOf("a")});
  const auto watcher = world_.Watch();
  world_.recorder.Wait(1);
  world_.feed.EndAll(absl::UnavailableError("gone"));
  ASSERT_TRUE(world_.log.AwaitLine("Reading node resources from gRPC stream failed"));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Milliseconds(4999));
  EXPECT_THAT(world_.feed.WaitForStreams(2, absl::ZeroDuration()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_THAT(world_.recorder.Wait(2), ElementsAre("7: 1", "7: 1"));
}

TEST_F(ModelWatcherTest, WhatADriverSaidHoldsAfterAProperEnd) {
  world_.feed.Publish({ModelOf("a")});
  const auto watcher = world_.Watch();
  world_.recorder.Wait(1);
  world_.feed.EndAll(absl::OutOfRangeError("EOF"));
  ASSERT_TRUE(world_.log.AwaitLine(kStopping));
  EXPECT_THAT(world_.recorder.heard(), ElementsAre("7: 1"));
}

TEST_F(ModelWatcherTest, ADriverThatDoesNotKnowTheMethodHasNothing) {
  world_.feed.Refuse(absl::UnimplementedError("unknown method"));
  const auto watcher = world_.Watch();
  ASSERT_TRUE(world_.log.AwaitLine(kStopping));
  EXPECT_THAT(world_.recorder.heard(), ElementsAre("7: 0"));
  EXPECT_EQ(world_.feed.stream_count(), 0);
}

TEST_F(ModelWatcherTest, ADriverThatEndsWithoutAWordHasNothing) {
  world_.feed.Refuse(absl::OutOfRangeError("EOF"));
  const auto watcher = world_.Watch();
  ASSERT_TRUE(world_.log.AwaitLine(kStopping));
  EXPECT_THAT(world_.recorder.heard(), ElementsAre("7: 0"));
}

TEST_F(ModelWatcherTest, AMessageWithTooManyModelsChangesNothing) {
  const auto watcher = world_.Watch();
  ASSERT_OK(world_.feed.WaitForStreams(1));
  world_.feed.Publish(ResourceModels(kMaxModels + 1));
  world_.feed.Publish(ResourceModels(kMaxModels));
  EXPECT_THAT(world_.recorder.Wait(1), ElementsAre(absl::StrCat("7: ", kMaxModels)));
  EXPECT_EQ(world_.log.Count("Ignoring node resources of the plugin beyond the limit"), 1u);
}

TEST_F(ModelWatcherTest, ItStopsWhileItListensAndWhileItWaits) {
  auto listening = world_.Watch();
  ASSERT_OK(world_.feed.WaitForStreams(1));
  listening.reset();
  world_.feed.Refuse(absl::UnavailableError("down"));
  auto waiting = world_.Watch();
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  waiting.reset();
  EXPECT_THAT(world_.recorder.heard(), IsEmpty());
  EXPECT_EQ(world_.feed.stream_count(), 0);
}

TEST(ModelWatcherSeededTest, ItStopsAtAnyPoint) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      World world(threads);
      auto watcher = world.Watch();
      const auto driver = threads.Start("driver", [&] {
        world.feed.Publish({ModelOf("a")});
        world.feed.EndAll(absl::UnavailableError("gone"));
      });
      watcher.reset();
      EXPECT_EQ(world.feed.stream_count(), 0);
    })) << "seed "
        << seed;
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
