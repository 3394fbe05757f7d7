// Replacements, one after the other, of large and small contents that grow, shrink and change in the middle, against
// every kill and every power cut that they can meet; and the same with something left out, which must be noticed.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/replaced_file.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kBlock = 64;
constexpr ReplacedFileOptions kOptions = {.large = 256, .block = kBlock};
constexpr size_t kFew = 5;  // the first that goes over a spare is the third

// The state after `number` changes. All large ones but for one; each but the first differs from the one before it and
// from that before that one, whose spare it is written over, in other blocks.
std::vector<std::string> States() {
  std::string bytes;
  for (int i = 0; i < 300; ++i) bytes += static_cast<char>('a' + i % 23);
  std::vector<std::string> states;
  const auto add = [&] { states.push_back(absl::StrCat(states.size(), bytes)); };
  add();
  add();
  bytes[150] = '#';
  add();
  bytes[250] = '#';  // in another block
  add();
  bytes += std::string(200, 'G');
  add();
  bytes.resize(270);
  add();
  bytes.insert(100, "inserted");  // all behind it moves
  add();
  states.push_back("small");
  add();
  bytes[10] = '!';
  add();
  bytes += "end";
  add();
  return states;
}

// Writes the states from 1 on over state 0, and judges what crashes leave.
class Writer {
 public:
  // With `faults` in all that it does.
  Writer(size_t writes, std::vector<Fault> faults) : writes_(writes), faults_(std::move(faults)) {}

  CrashScenario Scenario() {
    return {.set_up = [this](FakeFileSystem& disk) { SetUp(disk); },
            .run = [this](FileSystem& fs) { Run(fs); },
            .check = [this](FakeFileSystem& left, const std::string& where) { Check(left, where); },
            .restart = [this](FileSystem& fs) { Restart(fs); }};
  }
  const std::vector<std::string>& violations() const { return violations_; }
  size_t over_spares() const { return over_spares_; }

 private:
  void SetUp(FakeFileSystem& disk) {
    begun_ = answered_ = 0;
    ASSERT_OK(disk.MakeFolders("/state", 0755));
    SeededRandom random(0);
    ASSERT_OK(AtomicWrite(disk, random, "/state/file", states_[0], 0600));
  }

  void Run(FileSystem& real) {
    FaultPlan plan;
    for (const Fault& fault : faults_) plan.Arm(fault);
    FaultyFileSystem fs(real, plan);
    SeededRandom random(1);
    ReplacedFile file(fs, random, "/state/file", kOptions);
    for (size_t next = 1; next <= writes_; ++next) {
      begun_ = next;
      const absl::Status replaced = file.Replace(states_[next]);
      if (absl::IsAborted(replaced)) return;  // killed
      if (replaced.ok()) answered_ = next;
    }
    over_spares_ = std::max(over_spares_, plan.operations(FileOp::kTakeAlone));
  }

  // As a program that starts: what it has read it has told to others.
  void Restart(FileSystem& fs) {
    EXPECT_OK(fs.SyncFolder("/state"));
    EXPECT_OK(SweepTempFiles(fs, "/state"));
    const absl::StatusOr<std::string> bytes = ReadFile(fs, "/state/file", 4096);
    for (size_t i = answered_; i <= begun_; ++i) {
      if (bytes == absl::StatusOr<std::string>(states_[i])) answered_ = i;
    }
  }

  void Check(FakeFileSystem& left, const std::string& where) {
    const absl::StatusOr<std::string> bytes = ReadFile(left, "/state/file", 4096);
    const auto expected_end = states_.begin() + static_cast<ptrdiff_t>(begun_) + 1;
    const auto expected = states_.begin() + static_cast<ptrdiff_t>(answered_);
    if (!bytes.ok() || std::find(expected, expected_end, *bytes) == expected_end) {
      violations_.push_back(absl::StrCat(Verdict(bytes), " ", where));
    }
    EXPECT_OK(SweepTempFiles(left, "/state")) << where;
    // What is left is not in the way of the next writer, even with the same random numbers.
    {
      SeededRandom random(1);
      ReplacedFile file(left, random, "/state/file", kOptions);
      for (const size_t next : {1, 2, 3}) {
        EXPECT_OK(file.Replace(states_[next])) << where;
        EXPECT_THAT(ReadFile(left, "/state/file", 4096), IsOkAndHolds(states_[next])) << where;
      }
    }
    EXPECT_THAT(left.List("/state"), IsOkAndHolds(ElementsAre("file"))) << where;
  }

  std::string Verdict(const absl::StatusOr<std::string>& bytes) const {
    if (absl::IsNotFound(bytes.status())) return "missing";
    const bool is_whole = bytes.ok() && std::find(states_.begin(), states_.end(), *bytes) != states_.end();
    return is_whole ? "lost" : "torn";
  }

  const std::vector<std::string> states_ = States();
  const size_t writes_;
  const std::vector<Fault> faults_;
  size_t begun_ = 0;     // the state that is being written, or has been
  size_t answered_ = 0;  // the last one that Replace returned OK for
  size_t over_spares_ = 0;
  std::vector<std::string> violations_;
};

class ReplacedFileCrashTest : public ::testing::TestWithParam<PowerCutModel> {
 protected:
  // What goes wrong in the first writes when these operations claim success and do nothing.
  std::vector<std::string> ViolationsWithout(std::vector<FileOp> left_out) {
    Writer writer(kFew, {{.ops = std::move(left_out), .persistent = true, .effect = FaultEffect::kSkip}});
    EXPECT_OK(ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}).status());
    return writer.violations();
  }
};

INSTANTIATE_TEST_SUITE_P(Models, ReplacedFileCrashTest,
                         ::testing::Values(PowerCutModel::kOrdered, PowerCutModel::kAnySubset), [](const auto& model) {
                           return model.param == PowerCutModel::kOrdered ? "Ordered" : "AnySubset";
                         });

TEST_P(ReplacedFileCrashTest, NothingIsLostTornMissingOrLeftBehind) {
  const size_t writes = States().size() - 1;
  Writer writer(writes, {});
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage,
                       ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}));
  EXPECT_THAT(writer.violations(), IsEmpty());
  EXPECT_EQ(writer.over_spares(), writes - 5) << "all but the first two large ones, and the same after the small one";
  EXPECT_THAT(coverage.places, Ge(2u * 4 * writes));  // a write, its fsync, its name, the fsync of the folder
  EXPECT_THAT(coverage.images, Ge(coverage.places));
  EXPECT_THAT(coverage.restarts, Ge(coverage.places / 4));
}

TEST_P(ReplacedFileCrashTest, WithoutTheSyncOfTheFileItTears) {
  const std::vector<std::string> violations = ViolationsWithout({FileOp::kSyncFile});
  EXPECT_THAT(violations, Contains(HasSubstr("torn power cut")));
  EXPECT_THAT(violations, Each(HasSubstr("power cut"))) << "a kill alone is harmless";
}

// What is lost then is not only the last answer: the file that the name still is on the disk is written over.
TEST_P(ReplacedFileCrashTest, WithoutTheSyncOfTheFolderItLosesAndTears) {
  const std::vector<std::string> violations = ViolationsWithout({FileOp::kSyncFolder});
  EXPECT_THAT(violations, Contains(HasSubstr("lost power cut")));
  EXPECT_THAT(violations, Contains(HasSubstr("torn power cut")));
}

TEST_P(ReplacedFileCrashTest, WithoutTheExchangeItLosesWhatWasAnswered) {
  EXPECT_THAT(ViolationsWithout({FileOp::kExchange}), Contains(HasSubstr("lost kill")));
}

// When the sync of the folder fails, nobody knows which of the two files the name will be: neither is written over.
TEST_P(ReplacedFileCrashTest, AFailedSyncOfTheFolderLeavesNothingToWriteOver) {
  for (uint64_t nth = 1; nth <= kFew; ++nth) {
    Writer writer(kFew, {{.ops = {FileOp::kSyncFolder}, .path_pattern = "^/state$", .nth = nth}});
    ASSERT_OK(ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}).status());
    EXPECT_THAT(writer.violations(), IsEmpty());
  }
}

}  // namespace
}  // namespace kubelet_cm
