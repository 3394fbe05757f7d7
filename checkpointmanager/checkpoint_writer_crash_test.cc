// Several threads change a state and wait for it; the process is killed, and the power cut, at every file operation.
// What was answered must be there.
#include <algorithm>
#include <string>
#include <vector>

#include "checkpointmanager/checkpoint_writer.h"
#include "checkpointmanager/numbered_state.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Ge;
using ::testing::Le;

constexpr int kCallers = 3;
constexpr int kChangesEach = 2;

class CrashedWriter {
 public:
  // `padding`: what the state's file has beside its number.
  explicit CrashedWriter(uint64_t seed, size_t padding = 100) : seed_(seed), padding_(padding), state_(padding) {}

  CrashScenario Scenario() {
    return {.set_up = [this](FakeFileSystem& disk) { SetUp(disk); },
            .run = [this](FileSystem& fs) { Run(fs); },
            .check = [this](FakeFileSystem& left, const std::string& where) { Check(left, where); },
            .restart = [this](FileSystem& fs) { Restart(fs); }};
  }

  size_t over_spares() const { return over_spares_; }

 private:
  void SetUp(FakeFileSystem& disk) {
    answered_ = 0;
    state_.Reset();
    ASSERT_OK(disk.MakeFolders("/state", 0755));
    SeededRandom random(0);
    ASSERT_OK(AtomicWrite(disk, random, "/state/file", NumberedState::Text(0, padding_), 0600));
  }

  void Run(FileSystem& real) {
    FakeClock clock;
    FaultPlan plan;
    FaultyFileSystem fs(real, plan);
    SeededThreads threads(clock, {.seed = seed_});
    SeededRandom random(1);
    EXPECT_OK(threads.Run([&] {
      const auto manager = CheckpointManager::New(fs, random, "/state");
      if (!manager.ok()) return;
      CheckpointWriter writer(**manager, threads, state_, {.key = "file"});
      std::vector<std::unique_ptr<Thread>> callers;
      for (int i = 0; i < kCallers; ++i) callers.push_back(threads.Start("caller", [&] { Call(writer); }));
    }));
    over_spares_ = std::max(over_spares_, plan.operations(FileOp::kTakeAlone));
  }

  // What was read at a start is told to whoever asks.
  void Restart(FileSystem& fs) {
    SeededRandom random(2);
    ASSERT_OK_AND_ASSIGN(const auto manager, CheckpointManager::New(fs, random, "/state"));
    ASSERT_OK_AND_ASSIGN(const std::string bytes, manager->Read("file"));
    answered_ = std::max(answered_, NumberedState::NumberIn(bytes).value_or(0));
  }

  void Call(CheckpointWriter& writer) {
    for (int i = 0; i < kChangesEach; ++i) {
      const uint64_t number = state_.Change();
      if (!writer.WaitDurable(number).ok()) return;
      answered_ = std::max(answered_, number);
    }
  }

  void Check(FakeFileSystem& left, const std::string& where) {
    ASSERT_OK_AND_ASSIGN(const std::string bytes, ReadFile(left, "/state/file", 1 << 20));
    const std::optional<uint64_t> number = NumberedState::NumberIn(bytes);
    ASSERT_TRUE(number.has_value()) << where << ": torn: " << bytes.substr(0, 200);
    EXPECT_THAT(*number, Ge(answered_)) << where;
    EXPECT_THAT(*number, Le(state_.number())) << where;
  }

  const uint64_t seed_;
  const size_t padding_;
  NumberedState state_;
  uint64_t answered_ = 0;  // one thread at a time runs
  size_t over_spares_ = 0;
};

class CheckpointWriterCrashTest : public ::testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, CheckpointWriterCrashTest, ::testing::Range<uint64_t>(0, 12));

TEST_P(CheckpointWriterCrashTest, WhatWasAnsweredIsThere) {
  CrashedWriter writer(GetParam());
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage, ExploreCrashes(writer.Scenario()));
  EXPECT_THAT(coverage.operations, Ge(2u * 6));
  EXPECT_THAT(coverage.images, Ge(coverage.places));
  EXPECT_THAT(coverage.restarts, Ge(coverage.places / 2));  // of two places with the same disk, one
}

// The file is large enough for a spare to be kept. Six changes are at least two writes, most seeds make some more.
class LargeCheckpointWriterCrashTest : public ::testing::TestWithParam<uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, LargeCheckpointWriterCrashTest, ::testing::Range<uint64_t>(0, 4));

TEST_P(LargeCheckpointWriterCrashTest, WhatWasAnsweredIsThere) {
  constexpr size_t kPage = 4096;
  CrashedWriter writer(GetParam(), 17 * kPage);
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage, ExploreCrashes(writer.Scenario(), {.block = 4 * kPage}));
  EXPECT_THAT(writer.over_spares(), Ge(1u));
  EXPECT_THAT(coverage.images, Ge(coverage.places / 2));
  EXPECT_THAT(coverage.restarts, Ge(1u));
}

}  // namespace
}  // namespace kubelet_cm
