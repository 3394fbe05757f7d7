#include "testing/fakes/device_feed.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;

std::string FirstHealth(const absl::StatusOr<std::shared_ptr<const DeviceFeed::List>>& list) {
  return list.ok() && (*list)->devices_size() > 0 ? (*list)->devices(0).health() : list.status().ToString();
}

int Count(const absl::StatusOr<std::shared_ptr<const DeviceFeed::List>>& list) {
  return list.ok() ? (*list)->devices_size() : -1;
}

class DeviceFeedTest : public ::testing::Test {
 protected:
  // Runs the body under several orders of its threads.
  static void Run(const std::function<void(Threads&)>& body) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      FakeClock clock;
      SeededThreads threads(clock, {.seed = seed});
      EXPECT_OK(threads.Run([&] { body(threads); }));
    }
  }
};

TEST_F(DeviceFeedTest, StreamBeginsWithTheListThatThereIs) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 1));
    feed.Publish(NumberedDevices("a", 2));
    EXPECT_EQ(Count(feed.Next(feed.Open())), 2);
  });
}

TEST_F(DeviceFeedTest, WhoWaitsUntilADeadlineGetsNothingWhenItHasCome) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 1));
    const DeviceFeed::StreamId stream = feed.Open();
    EXPECT_EQ(Count(feed.Next(stream)), 1);
    const auto nothing = feed.Next(stream, threads.clock().MonotonicNow() + absl::Seconds(1));
    ASSERT_OK(nothing);
    EXPECT_EQ(*nothing, nullptr);
    feed.Publish(NumberedDevices("a", 2));
    EXPECT_EQ(Count(feed.Next(stream, threads.clock().MonotonicNow())), 2);
  });
}

TEST_F(DeviceFeedTest, EveryStreamGetsEveryListInOrder) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 1));
    const DeviceFeed::StreamId stream = feed.Open();
    const DeviceFeed::StreamId other = feed.Open();
    const std::unique_ptr<Thread> publisher = threads.Start("publisher", [&] {
      feed.Publish(NumberedDevices("a", 2));
      EXPECT_OK(feed.SetHealth("a1", "Unhealthy"));
      feed.Publish(NumberedDevices("a", 3));
    });
    for (const DeviceFeed::StreamId id : {stream, other}) {
      std::vector<int> counts;
      for (int i = 0; i < 4; ++i) counts.push_back(Count(feed.Next(id)));
      EXPECT_THAT(counts, ElementsAre(1, 2, 2, 3));
    }
  });
}

TEST_F(DeviceFeedTest, HealthOfOneDeviceChanges) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 2));
    EXPECT_OK(feed.SetHealth("a0", "Unhealthy"));
    EXPECT_EQ(FirstHealth(feed.Next(feed.Open())), "Unhealthy");
    EXPECT_THAT(feed.SetHealth("b0", "Healthy"), StatusIs(absl::StatusCode::kNotFound));
  });
}

TEST_F(DeviceFeedTest, ProperEndComesAfterWhatWasPublished) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 1));
    const DeviceFeed::StreamId stream = feed.Open();
    feed.EndAll(absl::OutOfRangeError("EOF"));
    EXPECT_OK(feed.Next(stream));
    EXPECT_THAT(feed.Next(stream), StatusIs(absl::StatusCode::kOutOfRange));
    EXPECT_EQ(feed.stream_count(), 0);
  });
}

TEST_F(DeviceFeedTest, CutDropsWhatWasPublishedAndWakesTheReader) {
  Run([](Threads& threads) {
    DeviceFeed feed(threads, NumberedDevices("a", 1));
    const DeviceFeed::StreamId stream = feed.Open();
    EXPECT_OK(feed.Next(stream));
    const std::unique_ptr<Thread> killer = threads.Start("killer", [&] {
      feed.Publish(NumberedDevices("a", 2));
      feed.End(stream, absl::UnavailableError("Socket closed"));
    });
    absl::StatusOr<std::shared_ptr<const DeviceFeed::List>> list = feed.Next(stream);
    if (list.ok()) list = feed.Next(stream);  // read before the cut
    EXPECT_THAT(list, StatusIs(absl::StatusCode::kUnavailable));
  });
}

}  // namespace
}  // namespace kubelet_cm::fakes
