#include "kubelet_cm/daemon/state_write_events.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StateWriteEventsTest : public ::testing::Test, public NodeEvents {
 protected:
  // Nobody looks but at the beginning and at the end, unless the interval says so.
  std::unique_ptr<StateWriteEvents> Watch(absl::Duration interval = absl::Hours(1)) {
    return std::make_unique<StateWriteEvents>(threads_, *this,
                                              std::vector<StateWriteEvents::File>{{.name = "devices",
                                                                                   .counts =
                                                                                       [this] {
                                                                                         MutexLock lock(&mu_);
                                                                                         looked_.Set();
                                                                                         return counts_;
                                                                                       }}},
                                              interval);
  }
  void Count(CheckpointWriterCounts counts) {
    MutexLock lock(&mu_);
    counts_ = counts;
  }
  void Record(NodeEvent event) override {
    std::string told = absl::StrCat(std::string(event.kind), " ", event.subject);
    for (const auto& [key, value] : event.details) absl::StrAppend(&told, " ", key, "=", value);
    MutexLock lock(&mu_);
    told_.push_back(told);
    recorded_.Set();
  }
  std::vector<std::string> told() {
    MutexLock lock(&mu_);
    return told_;
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  Event looked_{threads_, "a look"};
  Event recorded_{threads_, "an event"};
  Mutex mu_;
  CheckpointWriterCounts counts_ ABSL_GUARDED_BY(mu_);
  std::vector<std::string> told_ ABSL_GUARDED_BY(mu_);
};

TEST_F(StateWriteEventsTest, ManyWritesAreOneEvent) {
  auto events = Watch();
  looked_.Wait();
  Count({.writes = 1000, .bytes = 5000});
  events.reset();
  EXPECT_THAT(told(), ElementsAre("StateWritten devices writes=1000 bytes=5000"));
}

TEST_F(StateWriteEventsTest, EachLookTellsOfWhatIsNew) {
  Count({.writes = 2, .bytes = 20});
  auto events = Watch(absl::Milliseconds(1));
  recorded_.Wait();
  Count({.writes = 3, .bytes = 25});
  recorded_.Wait();
  events.reset();
  EXPECT_THAT(told(), ElementsAre("StateWritten devices writes=2 bytes=20", "StateWritten devices writes=1 bytes=5"));
}

TEST_F(StateWriteEventsTest, AWriteThatFailsIsToldOf) {
  Count({.failures = 1});
  Watch().reset();
  EXPECT_THAT(told(), ElementsAre("StateWriteFailed devices failures=1"));
}

TEST_F(StateWriteEventsTest, NobodyIsToldOfNothing) {
  Count({.unchanged = 7});
  Watch().reset();
  EXPECT_THAT(told(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
