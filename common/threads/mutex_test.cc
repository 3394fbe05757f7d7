#include "common/threads/mutex.h"

#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

struct Counter {
  Mutex mu;
  CondVar changed;
  int value ABSL_GUARDED_BY(mu) = 0;
};

void Add(Counter& counter, int times) {
  for (int i = 0; i < times; ++i) {
    MutexLock lock(&counter.mu);
    ++counter.value;
    counter.changed.SignalAll();
  }
}

// Under --config=tsan this also shows that the annotations order the two threads' accesses.
TEST(MutexTest, CountsOfTwoThreadsAddUp) {
  Counter counter;
  std::thread other([&] { Add(counter, 10000); });
  Add(counter, 10000);
  other.join();
  MutexLock lock(&counter.mu);
  EXPECT_EQ(counter.value, 20000);
}

TEST(CondVarTest, WaitSeesWhatTheSignallerWrote) {
  Counter counter;
  std::thread other([&] { Add(counter, 3); });
  {
    MutexLock lock(&counter.mu);
    while (counter.value < 3) counter.changed.Wait(&counter.mu);
    EXPECT_EQ(counter.value, 3);
  }
  other.join();
}

TEST(CondVarTest, WaitForTellsThatTheTimeIsUp) {
  Counter counter;
  MutexLock lock(&counter.mu);
  while (!counter.changed.WaitFor(&counter.mu, absl::Milliseconds(1))) {
  }
  EXPECT_EQ(counter.value, 0);
}

}  // namespace
}  // namespace kubelet_cm
