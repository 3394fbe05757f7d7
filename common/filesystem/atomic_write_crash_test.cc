// Several AtomicWrites, one after the other, against every kill and every power cut that they can meet; and the same
// with a sync left out, which must be noticed.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kWrites = 6;
// Where much is not durable, the images are many, and two writes show the same as six.
constexpr int kFewWrites = 2;

// Different lengths, so that a part of one is never another.
std::string State(int number) { return std::string(100 + 30 * number, static_cast<char>('a' + number)); }

// Writes the states 1 to `writes` over state 0, and judges what crashes leave.
class Writer {
 public:
  // Syncs of the kinds in `left_out` are left out.
  Writer(int writes, std::vector<FileOp> left_out) : writes_(writes), left_out_(std::move(left_out)) {}

  CrashScenario Scenario() {
    return {.set_up = [this](FakeFileSystem& disk) { SetUp(disk); },
            .run = [this](FileSystem& fs) { Run(fs); },
            .check = [this](FakeFileSystem& left, const std::string& where) { Check(left, where); }};
  }
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  void SetUp(FakeFileSystem& disk) {
    begun_ = answered_ = 0;
    ASSERT_OK(disk.MakeFolders("/state", 0755));
    SeededRandom random(0);
    ASSERT_OK(AtomicWrite(disk, random, "/state/file", State(0), 0600));
  }

  void Run(FileSystem& real) {
    FaultPlan plan;
    if (!left_out_.empty()) plan.Arm({.ops = left_out_, .persistent = true, .effect = FaultEffect::kSkip});
    FaultyFileSystem fs(real, plan);
    SeededRandom random(1);
    for (begun_ = 1; begun_ <= writes_; ++begun_) {
      if (!AtomicWrite(fs, random, "/state/file", State(begun_), 0600).ok()) return;
      answered_ = begun_;
    }
    begun_ = writes_;
  }

  void Check(FakeFileSystem& left, const std::string& where) {
    const absl::StatusOr<std::string> bytes = ReadFile(left, "/state/file", 4096);
    if (bytes != absl::StatusOr<std::string>(State(answered_)) && bytes != absl::StatusOr<std::string>(State(begun_))) {
      violations_.push_back(absl::StrCat(Verdict(bytes), " ", where));
    }
    const auto swept = SweepTempFiles(left, "/state");
    EXPECT_OK(swept) << where;
    // What is left is not in the way of the next write, even with the same random numbers.
    SeededRandom random(1);
    EXPECT_OK(AtomicWrite(left, random, "/state/file", "after", 0600)) << where;
    EXPECT_THAT(ReadFile(left, "/state/file", 100), IsOkAndHolds("after")) << where;
    EXPECT_THAT(left.List("/state"), IsOkAndHolds(ElementsAre("file"))) << where;
  }

  std::string Verdict(const absl::StatusOr<std::string>& bytes) const {
    if (absl::IsNotFound(bytes.status())) return "missing";
    for (int i = 0; i <= writes_; ++i) {
      if (bytes == absl::StatusOr<std::string>(State(i))) return "lost";
    }
    return "torn";
  }

  const int writes_;
  const std::vector<FileOp> left_out_;
  int begun_ = 0;     // the state that is being written, or has been
  int answered_ = 0;  // the last one that AtomicWrite returned OK for
  std::vector<std::string> violations_;
};

class AtomicWriteCrashTest : public ::testing::TestWithParam<PowerCutModel> {
 protected:
  static constexpr size_t kBlock = 64;
};

INSTANTIATE_TEST_SUITE_P(Models, AtomicWriteCrashTest,
                         ::testing::Values(PowerCutModel::kOrdered, PowerCutModel::kAnySubset), [](const auto& model) {
                           return model.param == PowerCutModel::kOrdered ? "Ordered" : "AnySubset";
                         });

TEST_P(AtomicWriteCrashTest, NothingIsLostTornMissingOrLeftBehind) {
  Writer writer(kWrites, {});
  ASSERT_OK_AND_ASSIGN(const CrashCoverage coverage,
                       ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}));
  EXPECT_THAT(writer.violations(), IsEmpty());
  EXPECT_EQ(coverage.operations, 6u * kWrites);            // open, write, fsync, close, rename, fsync of the folder
  EXPECT_THAT(coverage.places, Ge(2u * 5 * kWrites + 1));  // all but the close change something
  EXPECT_THAT(coverage.images, Ge(2 * coverage.operations));
}

TEST_P(AtomicWriteCrashTest, WithoutTheSyncOfTheFileItTears) {
  Writer writer(kFewWrites, {FileOp::kSyncFile});
  ASSERT_OK(ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}).status());
  EXPECT_THAT(writer.violations(), Contains(HasSubstr("torn power cut")));
  EXPECT_THAT(writer.violations(), Not(Contains(HasSubstr("kill"))));
}

TEST_P(AtomicWriteCrashTest, WithoutTheSyncOfTheFolderItLosesWhatWasAnswered) {
  Writer writer(kFewWrites, {FileOp::kSyncFolder});
  ASSERT_OK(ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}).status());
  EXPECT_THAT(writer.violations(), Contains(HasSubstr("lost power cut")));
  EXPECT_THAT(writer.violations(), Not(Contains(HasSubstr("torn"))));
  EXPECT_THAT(writer.violations(), Not(Contains(HasSubstr("kill"))));
}

TEST_P(AtomicWriteCrashTest, WithoutAnySyncAKillIsStillHarmless) {
  Writer writer(kFewWrites, {FileOp::kSyncFile, FileOp::kSyncFolder});
  ASSERT_OK(ExploreCrashes(writer.Scenario(), {.model = GetParam(), .block = kBlock}).status());
  EXPECT_THAT(writer.violations(), Contains(HasSubstr("torn power cut")));
  EXPECT_THAT(writer.violations(), Not(Contains(HasSubstr("kill"))));
}

}  // namespace
}  // namespace kubelet_cm
