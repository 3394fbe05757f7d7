#include "dra/parallel_work.h"

#include <algorithm>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/mutex.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::UnorderedElementsAre;

struct Seen {
  Mutex mu;
  std::vector<size_t> done ABSL_GUARDED_BY(mu);
  int at_work ABSL_GUARDED_BY(mu) = 0;
  int most ABSL_GUARDED_BY(mu) = 0;
};

void Work(Threads& threads, Seen& seen, size_t i) {
  {
    MutexLock lock(&seen.mu);
    seen.most = std::max(seen.most, ++seen.at_work);
  }
  threads.Yield();
  MutexLock lock(&seen.mu);
  --seen.at_work;
  seen.done.push_back(i);
}

TEST(ParallelWorkTest, EverythingIsDoneOnceAndNoMoreAtTheSameTimeThanAllowed) {
  int most = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    Seen seen;
    ASSERT_OK(threads.Run([&] { RunInParallel(threads, 5, 3, [&](size_t i) { Work(threads, seen, i); }); }));
    MutexLock lock(&seen.mu);
    EXPECT_THAT(seen.done, UnorderedElementsAre(0, 1, 2, 3, 4));
    EXPECT_LE(seen.most, 3);
    most = std::max(most, seen.most);
  }
  EXPECT_GT(most, 1);
}

TEST(ParallelWorkTest, OneThingNeedsNoThreadAndNothingIsDoneAtOnce) {
  FakeClock clock;
  SeededThreads threads(clock, {});
  int done = 0;
  // Outside of Run() no thread can be started.
  RunInParallel(threads, 1, 8, [&](size_t) { ++done; });
  RunInParallel(threads, 0, 8, [&](size_t) { ++done; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace kubelet_cm::dra
