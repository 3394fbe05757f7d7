#include "dra/slices/slice_publisher.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_join.h"
#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "dra/slices/fake_model_client.h"
#include "dra/slices/slice_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_slice_client.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kFailed[] = "Processing the ResourceSlices of a driver failed, will retry";

// A publisher, an API server and two instances of drivers, on whichever threads.
struct World {
  explicit World(Threads& the_threads) : threads(the_threads) {}

  void Start() {
    publisher = std::make_unique<SlicePublisher>(
        SlicePublisher::Dependencies{.threads = threads, .log = log, .random = random, .slices = slices});
  }
  void Register(DriverInstanceId id, fakes::ModelFeed& feed, const std::string& driver = "gpu") {
    publisher->AddInstance({.id = id, .driver_name = driver}, std::make_unique<FakeModelClient>(feed));
  }
  void Put(const std::string& name, const std::string& driver, const std::string& instance) {
    slices.PutModelSlice({.name = name, .driver_name = driver, .model = ModelOf(instance)});
  }
  // "driver: instance" each.
  std::vector<std::string> Published() { return ShownSlices(slices.ModelSlices()); }
  std::string Shown() {
    std::vector<std::string> published = Published();
    std::sort(published.begin(), published.end());
    return absl::StrJoin(published, ", ");
  }

  Threads& threads;
  AwaitingLogger log;
  SeededRandom random{7};
  fakes::FakeSliceClient slices{threads};
  fakes::ModelFeed gpu{threads};
  fakes::ModelFeed newer{threads};
  std::unique_ptr<SlicePublisher> publisher;
};

class SlicePublisherTest : public ::testing::Test {
 protected:
  // Waits until the publisher has looked at the slices so often and has nothing to do but wait.
  void AwaitLooks(size_t count) {
    ASSERT_OK(world_.slices.WaitForModelCalls("list", count));
    ASSERT_TRUE(clock_.AwaitAlarms(1));
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  World world_{threads_};
};

TEST_F(SlicePublisherTest, EachModelOfADriverIsASlice) {
  world_.gpu.Publish({ModelOf("a"), ModelOf("b")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 2));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: a", "gpu: b"));
}

TEST_F(SlicePublisherTest, ANewModelTakesTheSliceOfTheOldOneAndOnesThatAreGoneGo) {
  world_.gpu.Publish({ModelOf("a"), ModelOf("b")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 2));
  world_.gpu.Publish({ModelOf("c"), ModelOf("b")});
  ASSERT_OK(world_.slices.WaitForModelCalls("update", 1));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: c", "gpu: b"));
  world_.gpu.Publish({ModelOf("b")});
  ASSERT_OK(world_.slices.WaitForModelCalls("delete", 1));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: b"));
  EXPECT_THAT(world_.slices.ModelCalls(), Not(Contains("create nic")));
}

TEST_F(SlicePublisherTest, TheSlicesOfADriverThatDeregistersGo) {
  world_.gpu.Publish({ModelOf("a")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 1));
  world_.publisher->RemoveInstance(1);
  ASSERT_OK(world_.slices.WaitForModelCalls("delete", 1));
  EXPECT_THAT(world_.Published(), IsEmpty());
  EXPECT_EQ(world_.gpu.stream_count(), 0);
}

TEST_F(SlicePublisherTest, AStartDeletesTheSlicesOfDriversThatAreNotThere) {
  world_.Put("old", "gone.example.com", "a");
  world_.Start();
  ASSERT_OK(world_.slices.WaitForModelCalls("delete old", 1));
  EXPECT_THAT(world_.Published(), IsEmpty());
}

TEST_F(SlicePublisherTest, ADriverThatHasNotSpokenYetKeepsItsSlices) {
  world_.slices.FailModelCalls({absl::UnavailableError("until the driver is there")});
  world_.Put("s", "gpu", "a");
  world_.Start();
  world_.Register(1, world_.gpu);
  AwaitLooks(1);
  clock_.Advance(absl::Seconds(2));
  AwaitLooks(2);
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: a"));
  world_.gpu.Publish({ModelOf("a")});
  AwaitLooks(3);
  EXPECT_THAT(world_.slices.ModelCalls(), ElementsAre("list", "list", "list"));
}

TEST_F(SlicePublisherTest, TheSlicesOfADriverThatPublishesNothingGo) {
  world_.Put("s", "gpu", "a");
  world_.gpu.Refuse(absl::UnimplementedError("unknown method"));
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("delete s", 1));
  EXPECT_THAT(world_.Published(), IsEmpty());
}

TEST_F(SlicePublisherTest, OfTwoInstancesTheLastCountsAndTheOthersEndIsNobodys) {
  world_.gpu.Publish({ModelOf("old")});
  world_.newer.Publish({ModelOf("new")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 1));
  world_.Register(2, world_.newer);
  ASSERT_OK(world_.slices.WaitForModelCalls("update", 1));
  world_.gpu.Publish({ModelOf("older")});
  world_.publisher->RemoveInstance(1);
  world_.newer.Publish({ModelOf("newest")});
  ASSERT_OK(world_.slices.WaitForModelCalls("update", 2));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: newest"));
}

TEST_F(SlicePublisherTest, ADriverThatIsDownKeepsItsSlices) {
  world_.gpu.Publish({ModelOf("a")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 1));
  world_.gpu.Refuse(absl::UnavailableError("down"));
  world_.gpu.EndAll(absl::UnavailableError("down"));
  ASSERT_TRUE(world_.log.AwaitLine("Reading node resources from gRPC stream failed"));
  ASSERT_TRUE(clock_.AwaitAlarms(2));
  const size_t calls = world_.slices.ModelCalls().size();
  clock_.Advance(SlicePublisher::kResync);
  ASSERT_OK(world_.gpu.WaitForStreams(2));
  ASSERT_OK(world_.slices.WaitForModelCalls("", calls + 1));
  ASSERT_TRUE(clock_.AwaitAlarms(2));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: a"));
}

TEST_F(SlicePublisherTest, AFailureIsTriedAgainEachTimeLater) {
  world_.slices.FailAll(absl::UnavailableError("down"));
  world_.Start();
  size_t looks = 1;
  AwaitLooks(looks);
  // The publisher may count from anywhere in the last step of the clock.
  for (const int seconds : {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300}) {
    clock_.Advance(absl::Seconds(seconds) * 0.75);
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    EXPECT_EQ(world_.slices.ModelCalls().size(), looks) << seconds;
    clock_.Advance(absl::Seconds(seconds) * 0.45);
    AwaitLooks(++looks);
  }
}

TEST_F(SlicePublisherTest, WhatFailsForOneDriverIsDoneForTheOthersAndTriedAgain) {
  world_.Put("s", "a.example.com", "x");
  world_.Put("t", "b.example.com", "y");
  world_.slices.FailModelCalls({absl::OkStatus(), absl::AbortedError("was changed")});
  world_.Start();
  ASSERT_TRUE(world_.log.AwaitLine(kFailed));
  ASSERT_OK(world_.slices.WaitForModelCalls("delete t", 1));
  EXPECT_THAT(world_.Published(), ElementsAre("a.example.com: x"));
  AwaitLooks(1);
  clock_.Advance(absl::Seconds(2));
  ASSERT_OK(world_.slices.WaitForModelCalls("delete s", 2));
  EXPECT_THAT(world_.Published(), IsEmpty());
}

TEST_F(SlicePublisherTest, ASliceThatSomebodyElseDeletedMeanwhileIsGoneAllTheSame) {
  world_.Put("s", "gone.example.com", "x");
  world_.slices.FailModelCalls({absl::OkStatus(), absl::NotFoundError("no such slice")});
  world_.Start();
  ASSERT_OK(world_.slices.WaitForModelCalls("delete s", 1));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  EXPECT_EQ(world_.log.Count(kFailed), 0u);
  EXPECT_EQ(clock_.NextAlarm(), clock_.MonotonicNow() + SlicePublisher::kResync);
}

TEST_F(SlicePublisherTest, SlicesThatOthersChangedArePutRightWithinTenMinutes) {
  world_.gpu.Publish({ModelOf("a")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 1));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  world_.Put("theirs", "gpu", "b");
  clock_.Advance(SlicePublisher::kResync);
  ASSERT_OK(world_.slices.WaitForModelCalls("delete theirs", 1));
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: a"));
}

TEST_F(SlicePublisherTest, AnEndLeavesTheSlicesToTheNextStart) {
  world_.gpu.Publish({ModelOf("a")});
  world_.Start();
  world_.Register(1, world_.gpu);
  ASSERT_OK(world_.slices.WaitForModelCalls("create gpu", 1));
  world_.publisher.reset();
  EXPECT_THAT(world_.Published(), ElementsAre("gpu: a"));
}

TEST(SlicePublisherSeededTest, WhateverTheOrderTheLastWordIsPublished) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      World world(threads);
      world.Put("old", "gone", "x");
      world.gpu.Publish({ModelOf("a")});
      world.Start();
      world.Register(1, world.gpu);
      auto driver = threads.Start("driver", [&] {
        world.gpu.Publish({ModelOf("b")});
        world.newer.Publish({ModelOf("c"), ModelOf("d")});
      });
      world.Register(2, world.newer);
      world.publisher->RemoveInstance(1);
      driver.reset();
      size_t calls = 0;
      for (std::string shown; shown != "gpu: c, gpu: d"; shown = world.Shown()) {
        ASSERT_OK(world.slices.WaitForModelCalls("", calls + 1)) << shown;
        calls = world.slices.ModelCalls().size();
      }
    })) << "seed "
        << seed;
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
