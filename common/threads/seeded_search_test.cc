// What many seeds together find: different orders, and with them the bugs that need a certain one.
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/notification.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kSeeds = 100;

// In how many of the first kSeeds seeds the body, which runs as "main", returns true.
int CountSeeds(const std::function<bool(Threads&)>& body) {
  int count = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    bool result = false;
    EXPECT_OK(threads.Run([&] { result = body(threads); }));
    if (result) ++count;
  }
  return count;
}

std::vector<std::string> TraceOfThreeThreads(uint64_t seed) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = seed, .traced = true});
  Mutex mu;
  EXPECT_OK(threads.Run([&] {
    const auto work = [&] {
      threads.Yield();
      MutexLock lock(&mu);
    };
    const auto a = threads.Start("a", work);
    const auto b = threads.Start("b", work);
    const auto c = threads.Start("c", work);
  }));
  return threads.trace();
}

TEST(SeededSearchTest, SameSeedGivesTheSameTrace) {
  for (uint64_t seed = 0; seed < 10; ++seed) EXPECT_EQ(TraceOfThreeThreads(seed), TraceOfThreeThreads(seed));
}

TEST(SeededSearchTest, DifferentSeedsFindManyTraces) {
  std::set<std::vector<std::string>> traces;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) traces.insert(TraceOfThreeThreads(seed));
  EXPECT_GT(traces.size(), kSeeds / 2);
}

struct Counter {
  int Get() {
    MutexLock lock(&mu);
    return value;
  }
  void Set(int to) {
    MutexLock lock(&mu);
    value = to;
  }
  void Add() {
    MutexLock lock(&mu);
    ++value;
  }

  Mutex mu;
  int value ABSL_GUARDED_BY(mu) = 0;
};

int AddOnTwoThreads(Threads& threads, Counter& counter, const std::function<void()>& add) {
  std::unique_ptr<Thread> other = threads.Start("other", add);
  add();
  other.reset();
  return counter.Get();
}

// No data race: each access is guarded, only not both together.
TEST(SeededSearchTest, SomeSeedFindsALostUpdate) {
  const int lost = CountSeeds([](Threads& threads) {
    Counter counter;
    return AddOnTwoThreads(threads, counter, [&] { counter.Set(counter.Get() + 1); }) != 2;
  });
  EXPECT_GT(lost, 0);
  EXPECT_LT(lost, static_cast<int>(kSeeds));
}

TEST(SeededSearchTest, NoSeedFindsALostUpdateWhereThereIsNone) {
  const int lost = CountSeeds([](Threads& threads) {
    Counter counter;
    return AddOnTwoThreads(threads, counter, [&] { counter.Add(); }) != 2;
  });
  EXPECT_EQ(lost, 0);
}

// Two consumers and one auto-reset event for two pieces of work: in some orders both Set() count as one.
TEST(SeededSearchTest, SomeSeedFindsADeadlock) {
  int deadlocks = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    const absl::Status status = threads.Run([&threads] {
      Event work(threads, "work");
      const auto one = threads.Start("one", [&] { work.Wait(); });
      const auto other = threads.Start("other", [&] { work.Wait(); });
      work.Set();
      work.Set();
    });
    if (status.ok()) continue;
    ++deadlocks;
    EXPECT_THAT(status, StatusIs(absl::StatusCode::kAborted, HasSubstr("waits for 'work'")));
  }
  EXPECT_GT(deadlocks, 0);
  EXPECT_LT(deadlocks, static_cast<int>(kSeeds));
}

// An answer that comes at once, and a time limit that only a slow thread can miss.
bool TimesOutSometimes(uint64_t one_deadline_early_in) {
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed, .one_deadline_early_in = one_deadline_early_in});
    bool answered = false;
    EXPECT_OK(threads.Run([&] {
      Notification answer(threads, "answer");
      const auto server = threads.Start("server", [&] { answer.Notify(); });
      answered = answer.WaitFor(absl::Seconds(10));
    }));
    if (!answered) return true;
  }
  return false;
}

TEST(SeededSearchTest, DeadlinesPassEarlyOnlyWhenAskedFor) {
  EXPECT_FALSE(TimesOutSometimes(0));
  EXPECT_TRUE(TimesOutSometimes(5));
}

// The shape of a checkpoint writer: a caller waits until its state is durable, callers during a write share the next.
class GroupWriter {
 public:
  explicit GroupWriter(Threads& threads)
      : work_(threads.NewCondition("work for the writer")),
        durable_changed_(threads.NewCondition("state durable")),
        thread_(threads.Start("writer", [this] { WriteUntilStopped(); })) {}
  ~GroupWriter() {
    {
      MutexLock lock(&mu_);
      stopping_ = true;
      work_->NotifyAll();
    }
    thread_.reset();
  }

  void Save() {
    MutexLock lock(&mu_);
    const int mine = ++newest_;
    work_->NotifyAll();
    while (durable_ < mine) durable_changed_->Wait(&mu_);
  }
  int writes() {
    MutexLock lock(&mu_);
    return writes_;
  }

 private:
  void WriteUntilStopped() {
    while (const int state = AwaitWork()) Write(state);
  }
  int AwaitWork() {
    MutexLock lock(&mu_);
    while (newest_ == durable_ && !stopping_) work_->Wait(&mu_);
    return newest_ == durable_ ? 0 : newest_;
  }
  void Write(int state) {
    MutexLock lock(&mu_);
    ++writes_;
    durable_ = state;
    durable_changed_->NotifyAll();
  }

  Mutex mu_;
  const std::unique_ptr<Condition> work_;
  const std::unique_ptr<Condition> durable_changed_;
  int newest_ ABSL_GUARDED_BY(mu_) = 0;
  int durable_ ABSL_GUARDED_BY(mu_) = 0;
  int writes_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> thread_;
};

TEST(SeededSearchTest, CallersOfAGroupWriterShareWritesInSomeOrdersAndAllReturnInEvery) {
  std::set<int> write_counts;
  CountSeeds([&](Threads& threads) {
    GroupWriter writer(threads);
    const auto save = [&] { writer.Save(); };
    std::vector<std::unique_ptr<Thread>> callers;
    for (int i = 0; i < 3; ++i) callers.push_back(threads.Start("caller", save));
    callers.clear();
    return write_counts.insert(writer.writes()).second;
  });
  EXPECT_THAT(write_counts, ::testing::ElementsAre(1, 2, 3));
}

}  // namespace
}  // namespace kubelet_cm
