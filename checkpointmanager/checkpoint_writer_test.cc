#include "checkpointmanager/checkpoint_writer.h"

#include <cerrno>
#include <string>
#include <vector>

#include "checkpointmanager/numbered_state.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// A writer on a disk that can fail, under threads that run one at a time.
class CheckpointWriterTest : public ::testing::Test {
 protected:
  // Runs `body` as the only thread at first.
  void Run(absl::FunctionRef<void(CheckpointWriter&)> body, uint64_t seed = 0,
           std::optional<std::string> on_disk = std::nullopt) {
    SeededThreads threads(clock_, {.seed = seed});
    threads_ = &threads;
    ASSERT_OK(threads.Run([&] {
      manager_ = *CheckpointManager::New(faulty_, random_, "/state");
      CheckpointWriter writer(*manager_, threads, state_, {.key = "file", .on_disk = on_disk});
      body(writer);
      manager_.reset();
    }));
  }

  // `callers` threads that make a change each and wait for it; the outcomes in the order of their numbers.
  std::vector<absl::Status> ChangeAtOnce(CheckpointWriter& writer, int callers) {
    std::vector<absl::Status> outcomes(static_cast<size_t>(callers));
    std::vector<std::unique_ptr<Thread>> running;
    for (int i = 0; i < callers; ++i) {
      running.push_back(threads_->Start("caller", [&] {
        const uint64_t number = state_.Change();
        outcomes[number - 1] = writer.WaitDurable(number);
      }));
    }
    running.clear();
    return outcomes;
  }

  std::optional<uint64_t> OnDisk() { return NumberedState::NumberIn(*manager_->Read("file")); }

  FakeClock clock_;
  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem faulty_{disk_, plan_};
  SeededRandom random_{1};
  NumberedState state_;
  SeededThreads* threads_ = nullptr;
  std::unique_ptr<CheckpointManager> manager_;
};

TEST_F(CheckpointWriterTest, AnsweredChangesAreInTheFile) {
  Run([&](CheckpointWriter& writer) {
    EXPECT_OK(writer.WaitDurable(state_.Change()));
    EXPECT_EQ(OnDisk(), 1u);
    EXPECT_EQ(writer.durable(), 1u);
  });
}

TEST_F(CheckpointWriterTest, StateZeroIsThereFromTheStart) {
  Run([&](CheckpointWriter& writer) {
    EXPECT_OK(writer.WaitDurable(0));
    EXPECT_EQ(writer.counts().writes, 0u);
  });
}

TEST_F(CheckpointWriterTest, AnOlderChangeIsDurableWithANewerOne) {
  Run([&](CheckpointWriter& writer) {
    const uint64_t first = state_.Change();
    EXPECT_OK(writer.WaitDurable(state_.Change()));
    EXPECT_OK(writer.WaitDurable(first));
    EXPECT_EQ(writer.counts().writes, 1u);
  });
}

TEST_F(CheckpointWriterTest, CallersThatComeDuringAWriteShareTheNextOne) {
  uint64_t writes = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    state_.Reset();
    Run(
        [&](CheckpointWriter& writer) {
          for (const absl::Status& outcome : ChangeAtOnce(writer, 8)) EXPECT_OK(outcome);
          EXPECT_EQ(OnDisk(), 8u);
          EXPECT_LE(writer.counts().writes, 8u);
          writes += writer.counts().writes;
        },
        seed);
  }
  EXPECT_LT(writes, 50u * 5) << "of 400 changes";
}

// A state whose file is large from the first write on.
class LargeState : public CheckpointSource {
 public:
  uint64_t Render(std::string& bytes) override {
    bytes = Text(++number_);
    return number_;
  }

  static std::string Text(uint64_t number) { return std::to_string(number) + std::string(100'000, 'x'); }

 private:
  uint64_t number_ = 0;
};

TEST_F(CheckpointWriterTest, OfALargeFileOnlyWhatHasChangedIsWritten) {
  SeededThreads threads(clock_, {.seed = 0});
  LargeState state;
  std::unique_ptr<CheckpointManager> manager;
  ASSERT_OK(threads.Run([&] {
    manager = *CheckpointManager::New(faulty_, random_, "/state");
    CheckpointWriter writer(*manager, threads, state, {.key = "file"});
    for (uint64_t number = 1; number <= 5; ++number) {
      EXPECT_OK(writer.WaitDurable(number));
      EXPECT_TRUE(*manager->Read("file") == LargeState::Text(number));
    }
    EXPECT_EQ(writer.counts().writes, 5u);
    EXPECT_THAT(manager->List(), IsOkAndHolds(ElementsAre("file"))) << "the spare is nobody's business";
    EXPECT_THAT(*disk_.List("/state"), SizeIs(2));
  }));
  EXPECT_EQ(plan_.operations(FileOp::kWrite), 2u);
  size_t changed = 0;
  for (const FileOperation& operation : plan_.trace())
    changed += operation.op == FileOp::kWriteAt ? operation.bytes : 0;
  EXPECT_EQ(changed, 3u * 4096);
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre("file"))) << "it goes with the writer";
}

TEST_F(CheckpointWriterTest, WhoReadsALargeFileReadsOneState) {
  SeededThreads threads(clock_, {.seed = 0});
  LargeState state;
  ASSERT_OK(threads.Run([&] {
    const auto manager = *CheckpointManager::New(faulty_, random_, "/state");
    CheckpointWriter writer(*manager, threads, state, {.key = "file"});
    for (uint64_t number = 1; number <= 3; ++number) EXPECT_OK(writer.WaitDurable(number));
    const std::unique_ptr<File> reader = *disk_.Open("/state/file", OpenMode::kRead);
    std::string read = *reader->Read(50'000);
    for (uint64_t number = 4; number <= 6; ++number) EXPECT_OK(writer.WaitDurable(number));
    read += *reader->Read(1 << 20);
    EXPECT_TRUE(read == LargeState::Text(3));
    EXPECT_TRUE(*manager->Read("file") == LargeState::Text(6));
  }));
}

TEST_F(CheckpointWriterTest, AKeyThatCanHaveNoFileIsAnErrorForWhoWaits) {
  SeededThreads threads(clock_, {.seed = 0});
  ASSERT_OK(threads.Run([&] {
    const auto manager = *CheckpointManager::New(faulty_, random_, "/state");
    CheckpointWriter writer(*manager, threads, state_, {.key = "a/b"});
    EXPECT_THAT(writer.WaitDurable(state_.Change()), StatusIs(manager->Write("a/b", "").code()));
  }));
}

TEST_F(CheckpointWriterTest, UnchangedBytesAreNotWrittenAgain) {
  Run(
      [&](CheckpointWriter& writer) {
        EXPECT_OK(writer.WaitDurable(state_.Change()));
        EXPECT_EQ(writer.counts(), (CheckpointWriterCounts{.unchanged = 1}));
        EXPECT_EQ(writer.durable(), 1u);
        EXPECT_OK(writer.WaitDurable(state_.ChangeInvisibly()));
        EXPECT_EQ(writer.counts(), (CheckpointWriterCounts{.unchanged = 2}));
        EXPECT_OK(writer.WaitDurable(state_.Change()));
        EXPECT_EQ(writer.counts().writes, 1u);
      },
      0, NumberedState::Text(1));
}

TEST_F(CheckpointWriterTest, AFailedWriteIsReportedToAllWhoWaitForIt) {
  plan_.Arm({.ops = {FileOp::kSyncFile}, .persistent = true, .error = EIO});
  for (uint64_t seed = 0; seed < 20; ++seed) {
    state_.Reset();
    Run(
        [&](CheckpointWriter& writer) {
          for (const absl::Status& outcome : ChangeAtOnce(writer, 4)) {
            EXPECT_THAT(outcome, StatusIs(absl::StatusCode::kInternal, HasSubstr("fsync")));
          }
          EXPECT_EQ(writer.durable(), 0u);
        },
        seed);
  }
}

TEST_F(CheckpointWriterTest, TheNextChangeTriesAgain) {
  plan_.Arm({.ops = {FileOp::kRename}, .error = ENOSPC});
  Run([&](CheckpointWriter& writer) {
    const uint64_t failed = state_.Change();
    EXPECT_THAT(writer.WaitDurable(failed), StatusIs(absl::StatusCode::kResourceExhausted));
    EXPECT_THAT(writer.WaitDurable(failed), StatusIs(absl::StatusCode::kResourceExhausted));
    EXPECT_EQ(writer.counts().failures, 1u);
    EXPECT_OK(writer.WaitDurable(state_.Change()));
    EXPECT_OK(writer.WaitDurable(failed));
    EXPECT_EQ(OnDisk(), 2u);
  });
}

TEST_F(CheckpointWriterTest, AfterAFailureTheSameBytesAreWrittenAgain) {
  // The first sync of the folder is the manager's. The rename took effect; whether the third sync did, nobody knows.
  plan_.Arm({.ops = {FileOp::kSyncFolder}, .path_pattern = "^/state$", .nth = 3, .error = EIO});
  Run(
      [&](CheckpointWriter& writer) {
        EXPECT_OK(writer.WaitDurable(state_.Change()));
        EXPECT_FALSE(writer.WaitDurable(state_.Change()).ok());
        EXPECT_OK(writer.WaitDurable(state_.ChangeInvisibly()));
        EXPECT_EQ(writer.counts(),
                  (CheckpointWriterCounts{.writes = 2, .failures = 1, .bytes = writer.counts().bytes}));
      },
      0, NumberedState::Text(0));
}

TEST_F(CheckpointWriterTest, WaitersForALaterStateDoNotGetAnEarlierFailure) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    plan_.DisarmAll();
    plan_.Arm({.ops = {FileOp::kWrite}, .error = EIO});  // the first write alone
    state_.Reset();
    Run(
        [&](CheckpointWriter& writer) {
          const std::vector<absl::Status> outcomes = ChangeAtOnce(writer, 4);
          if (writer.counts().writes == 0) return;  // all four were in the one that failed
          EXPECT_OK(outcomes.back());
          EXPECT_EQ(OnDisk(), 4u);
        },
        seed);
  }
}

// Notices when it is called twice at once. Each lock is a place where another thread may come in between.
class ExclusiveSource : public CheckpointSource {
 public:
  explicit ExclusiveSource(NumberedState& state) : state_(state) {}

  uint64_t Render(std::string& bytes) override {
    Enter();
    const uint64_t number = state_.Render(bytes);
    Leave();
    return number;
  }
  bool Prepare() override {
    Enter();
    Leave();
    MutexLock lock(&mu_);
    return ++prepared_ < 3;
  }

 private:
  void Enter() {
    MutexLock lock(&mu_);
    EXPECT_FALSE(busy_);
    busy_ = true;
  }
  void Leave() {
    MutexLock lock(&mu_);
    busy_ = false;
  }

  NumberedState& state_;
  Mutex mu_;
  bool busy_ ABSL_GUARDED_BY(mu_) = false;
  int prepared_ ABSL_GUARDED_BY(mu_) = 0;
};

TEST_F(CheckpointWriterTest, PreparesUntilNothingRemainsAndNeverBesideAWrite) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    SeededThreads threads(clock_, {.seed = seed});
    state_.Reset();
    ASSERT_OK(threads.Run([&] {
      const auto manager = *CheckpointManager::New(faulty_, random_, "/state");
      ExclusiveSource source(state_);
      CheckpointWriter writer(*manager, threads, source, {.key = "file"});
      const std::unique_ptr<Thread> changing = threads.Start("changing", [&] {
        for (int i = 0; i < 3; ++i) EXPECT_OK(writer.WaitDurable(state_.Change()));
      });
      int pieces = 1;
      while (writer.PrepareNext()) ++pieces;
      EXPECT_EQ(pieces, 3);
    }));
  }
}

}  // namespace
}  // namespace kubelet_cm
