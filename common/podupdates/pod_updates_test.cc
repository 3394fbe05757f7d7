#include "common/podupdates/pod_updates.h"

#include "common/clock/fake_clock.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class PodUpdatesTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  PodUpdates updates_{threads_};
};

TEST_F(PodUpdatesTest, APodThatIsAddedTwiceIsTakenOnceAndInOrder) {
  updates_.Add({"b", "a"});
  updates_.Add({"b"});
  EXPECT_THAT(updates_.Take(), ElementsAre("a", "b"));
  EXPECT_THAT(updates_.Take(), IsEmpty());
}

TEST_F(PodUpdatesTest, WaitingEndsWhenAPodIsAdded) {
  const auto adding = threads_.Start("adding", [&] {
    ASSERT_TRUE(clock_.AwaitAlarms(1));
    updates_.Add({"a"});
  });
  EXPECT_THAT(updates_.WaitAndTake(clock_.MonotonicNow() + absl::Seconds(10)), ElementsAre("a"));
}

TEST_F(PodUpdatesTest, WaitingEndsWithNothingAtTheDeadlineEvenAfterPodsThatWereTaken) {
  updates_.Add({"a"});
  EXPECT_THAT(updates_.Take(), ElementsAre("a"));
  EXPECT_THAT(updates_.WaitAndTake(clock_.MonotonicNow()), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
