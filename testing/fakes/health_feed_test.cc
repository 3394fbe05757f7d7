#include "testing/fakes/health_feed.h"

#include <functional>
#include <memory>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;

dra::HealthReports Says(const std::string& message) { return {{.pool = "p", .device = "d", .message = message}}; }

std::string Heard(const absl::StatusOr<dra::HealthReports>& reports) {
  return reports.ok() ? reports->front().message : absl::StatusCodeToString(reports.status().code());
}

class HealthFeedTest : public ::testing::Test {
 protected:
  // Runs the body under several orders of its threads.
  static void Run(const std::function<void(Threads&, HealthFeed&)>& body) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
      FakeClock clock;
      SeededThreads threads(clock, {.seed = seed});
      EXPECT_OK(threads.Run([&] {
        HealthFeed feed(threads);
        body(threads, feed);
      }));
    }
  }
};

TEST_F(HealthFeedTest, StreamBeginsWithWhatWasSaidLastAndHearsTheRestInOrder) {
  Run([](Threads& threads, HealthFeed& feed) {
    feed.Publish(Says("a"));
    feed.Publish(Says("b"));
    const HealthFeed::StreamId stream = feed.Open(1);
    const std::unique_ptr<Thread> publisher = threads.Start("publisher", [&] {
      feed.Publish(Says("c"));
      feed.EndAll(absl::OutOfRangeError("EOF"));
    });
    std::vector<std::string> heard;
    for (int i = 0; i < 3; ++i) heard.push_back(Heard(feed.Next(stream)));
    EXPECT_THAT(heard, ElementsAre("b", "c", "OUT_OF_RANGE"));
    EXPECT_EQ(feed.stream_count(), 0);
  });
}

TEST_F(HealthFeedTest, StreamThatHearsNothingHangsUntilItIsCut) {
  Run([](Threads& threads, HealthFeed& feed) {
    const HealthFeed::StreamId stream = feed.Open(1);
    EXPECT_EQ(feed.stream_count(), 1);
    const std::unique_ptr<Thread> cutter =
        threads.Start("cutter", [&] { feed.End(stream, absl::CancelledError("enough")); });
    EXPECT_EQ(Heard(feed.Next(stream)), "CANCELLED");
    feed.Forget(stream);
  });
}

TEST_F(HealthFeedTest, EndOfASessionIsThatOfItsStreams) {
  Run([](Threads&, HealthFeed& feed) {
    const HealthFeed::StreamId first = feed.Open(1);
    const HealthFeed::StreamId second = feed.Open(2);
    feed.CloseSession(1, absl::UnavailableError("Socket closed"));
    feed.Publish(Says("a"));
    EXPECT_EQ(Heard(feed.Next(first)), "UNAVAILABLE");
    EXPECT_EQ(Heard(feed.Next(second)), "a");
  });
}

// A call may be on its way while the driver dies.
TEST_F(HealthFeedTest, StreamOfASessionThatIsClosedEndsAtOnce) {
  Run([](Threads&, HealthFeed& feed) {
    feed.Publish(Says("a"));
    feed.CloseSession(1, absl::UnavailableError("Socket closed"));
    EXPECT_EQ(Heard(feed.Next(feed.Open(1))), "UNAVAILABLE");
    EXPECT_EQ(Heard(feed.Next(feed.Open(2))), "a");
  });
}

TEST_F(HealthFeedTest, RefusedStreamsEndAtOnceAndAreCounted) {
  Run([](Threads&, HealthFeed& feed) {
    feed.Publish(Says("a"));
    feed.Refuse(absl::UnimplementedError("no such service"));
    EXPECT_EQ(Heard(feed.Next(feed.Open(1))), "UNIMPLEMENTED");
    feed.Refuse(absl::OkStatus());
    EXPECT_EQ(Heard(feed.Next(feed.Open(1))), "a");
    EXPECT_OK(feed.WaitForStreams(2));
    EXPECT_THAT(feed.WaitForStreams(3, absl::ZeroDuration()), StatusIs(absl::StatusCode::kDeadlineExceeded));
  });
}

}  // namespace
}  // namespace kubelet_cm::fakes
