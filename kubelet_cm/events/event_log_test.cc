#include "kubelet_cm/events/event_log.h"

#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventLogTest : public ::testing::Test {
 protected:
  void Record(const std::string& subject) { log_.Record({.kind = event_kind::kPodAdmitted, .subject = subject}); }
  std::vector<std::string> SubjectsAfter(uint64_t number) {
    std::vector<std::string> subjects;
    for (const auto& logged : log_.Read(number, clock_.MonotonicNow()).events)
      subjects.push_back(logged->event.subject);
    return subjects;
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  EventLog log_{threads_, 3};
};

TEST_F(EventLogTest, EventsAreReadInTheirOrderFromWhereTheReaderWas) {
  Record("a");
  Record("b");
  EXPECT_THAT(SubjectsAfter(0), ElementsAre("a", "b"));
  EXPECT_THAT(SubjectsAfter(1), ElementsAre("b"));
  EXPECT_THAT(SubjectsAfter(2), IsEmpty());
  EXPECT_EQ(log_.newest(), 2);
}

TEST_F(EventLogTest, AnEventHasItsTime) {
  clock_.Advance(absl::Seconds(5));
  Record("a");
  EXPECT_EQ(log_.Read(0, clock_.MonotonicNow()).events[0]->time, clock_.WallNow());
}

TEST_F(EventLogTest, ASlowReaderIsToldWhatItMissed) {
  for (const std::string subject : {"a", "b", "c", "d", "e"}) Record(subject);
  const EventLog::Batch batch = log_.Read(1, clock_.MonotonicNow());
  EXPECT_EQ(batch.lost, 1);  // b
  EXPECT_EQ(batch.events.front()->number, 3);
  EXPECT_EQ(batch.events.back()->number, 5);
}

TEST_F(EventLogTest, AReaderWaitsForTheNextEvent) {
  Notification waits(threads_, "the reader is about to wait");
  EventLog::Batch batch;
  {
    const auto reader = threads_.Start("reader", [&] {
      waits.Notify();
      batch = log_.Read(0, MonotonicTime::InfiniteFuture());
    });
    waits.Wait();
    Record("a");
  }
  EXPECT_EQ(batch.events.size(), 1);
}

TEST_F(EventLogTest, NobodyWaitsAfterStop) {
  log_.Stop();
  EXPECT_THAT(log_.Read(0, MonotonicTime::InfiniteFuture()).events, IsEmpty());
}

TEST_F(EventLogTest, OneReadIsBounded) {
  EventLog big(threads_, 2 * EventLog::kMostRead);
  for (size_t i = 0; i < EventLog::kMostRead + 1; ++i) big.Record({.kind = event_kind::kPodAdmitted});
  EXPECT_EQ(big.Read(0, clock_.MonotonicNow()).events.size(), EventLog::kMostRead);
}

}  // namespace
}  // namespace kubelet_cm
