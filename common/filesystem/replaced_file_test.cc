// Which operations a replacement costs, and that the file has the bytes it was given. Crashes, errors, and what other
// programs do to the files, have tests of their own.
#include "common/filesystem/replaced_file.h"

#include <cerrno>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/filesystem/atomic_write.h"
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

using ::testing::ElementsAre;

constexpr size_t kBlock = 64;
constexpr size_t kLarge = 256;
constexpr ReplacedFileOptions kOptions = {.large = kLarge, .block = kBlock};
const char* const kPath = "/state/file";

// The names of operations that followed `begin`, and the bytes of those that write.
std::string Operations(const FaultPlan& plan, size_t begin = 0) {
  std::vector<std::string> names;
  const std::vector<FileOperation> trace = plan.trace();
  for (size_t i = begin; i < trace.size(); ++i) {
    const std::string bytes = trace[i].bytes > 0 ? absl::StrCat(" ", trace[i].bytes) : "";
    names.push_back(absl::StrCat(FileOpName(trace[i].op), bytes));
  }
  return absl::StrJoin(names, ", ");
}

class ReplacedFileTest : public ::testing::Test {
 protected:
  ReplacedFileTest() {
    EXPECT_OK(disk_.MakeFolders("/state", 0755));
    file_.emplace(fs_, random_, kPath, kOptions);
  }

  // Replaces the file; returns the operations.
  std::string Replace(const std::string& bytes) {
    const size_t begin = plan_.operations();
    EXPECT_OK(file_->Replace(bytes));
    std::string operations = Operations(plan_, begin);
    EXPECT_THAT(ReadFile(disk_, kPath, 1 << 20), IsOkAndHolds(bytes));
    return operations;
  }
  size_t Names() { return disk_.List("/state")->size(); }

  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem fs_{disk_, plan_};
  SeededRandom random_{1};
  std::optional<ReplacedFile> file_;
};

const char* const kAtomicWrite = "open, write 300, fsync, close, rename, fsync folder";
const char* const kNewAndKept = "open, write 300, fsync, close, lstat, lstat, exchange, fsync folder";

TEST_F(ReplacedFileTest, ThePreviousFileIsKeptAndThenOnlyWhatDiffersIsWritten) {
  std::string bytes(300, 'a');
  EXPECT_EQ(Replace(bytes), "open, write 300, fsync, close, lstat, rename, fsync folder");
  EXPECT_EQ(Names(), 1u);
  bytes[0] = 'b';
  EXPECT_EQ(Replace(bytes), kNewAndKept);
  EXPECT_EQ(Names(), 2u);
  bytes[kBlock] = 'c';  // the spare has neither this nor the one before
  EXPECT_EQ(Replace(bytes), "open, lease, stat, read, write at 128, fsync, close, lstat, exchange, fsync folder");
  bytes[299] = 'd';  // and the other spare not the last two
  EXPECT_EQ(Replace(bytes),
            "open, lease, stat, read, write at 64, write at 44, fsync, close, lstat, exchange, fsync folder");
  EXPECT_EQ(Names(), 2u);
}

TEST_F(ReplacedFileTest, SmallContentsCostWhatAnAtomicWriteCosts) {
  FaultPlan other_plan;
  FakeFileSystem other_disk;
  FaultyFileSystem other(other_disk, other_plan);
  ASSERT_OK(other_disk.MakeFolders("/state", 0755));
  SeededRandom random(1);
  for (const size_t size : {0u, 1u, 100u, 255u}) {
    ASSERT_OK(AtomicWrite(other, random, kPath, std::string(size, 'x'), 0600));
    Replace(std::string(size, 'x'));
  }
  EXPECT_EQ(plan_.trace(), other_plan.trace());
}

TEST_F(ReplacedFileTest, LargeBeginsWhereItIsSaid) {
  for (int i = 0; i < 3; ++i) Replace(std::string(kLarge - 1, 'x'));
  EXPECT_EQ(plan_.operations(FileOp::kExchange), 0u);
  for (int i = 0; i < 3; ++i) Replace(std::string(kLarge, 'x'));
  EXPECT_EQ(plan_.operations(FileOp::kExchange), 2u);
}

TEST_F(ReplacedFileTest, AFileThatBecomesSmallHasNoSpare) {
  for (int i = 0; i < 3; ++i) Replace(std::string(300, static_cast<char>('a' + i)));
  EXPECT_EQ(Names(), 2u);
  EXPECT_EQ(Replace("small"), "unlink, open, write 5, fsync, close, rename, fsync folder");
  EXPECT_EQ(Names(), 1u);
  EXPECT_EQ(Replace(std::string(300, 'x')), "open, write 300, fsync, close, lstat, rename, fsync folder");
  EXPECT_EQ(Replace(std::string(300, 'y')), kNewAndKept);
}

TEST_F(ReplacedFileTest, TheSpareGoesWithTheObject) {
  for (int i = 0; i < 3; ++i) Replace(std::string(300, static_cast<char>('a' + i)));
  file_.reset();
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre("file")));
  EXPECT_THAT(ReadFile(disk_, kPath, 1000), IsOkAndHolds(std::string(300, 'c')));
}

TEST_F(ReplacedFileTest, ASpareIsSweptAsWhatAKilledWriterLeft) {
  for (int i = 0; i < 3; ++i) Replace(std::string(300, static_cast<char>('a' + i)));
  EXPECT_THAT(SweepTempFiles(disk_, "/state"), IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre("file")));
}

// Lengths around the ends of blocks and of what is read at a time, in every order of two; the bytes change at the
// beginning, in the middle, at the end, or nowhere.
TEST_F(ReplacedFileTest, TheFileHasTheBytesThatItWasGivenWhateverTheSpareHad) {
  const size_t many = 16 * kBlock;
  const std::vector<size_t> sizes = {kLarge,   kLarge + 1, 5 * kBlock - 1, 5 * kBlock, 5 * kBlock + 1,
                                     many - 1, many,       many + 1,       many + 200, 3 * many};
  int round = 0;
  for (const size_t first : sizes) {
    for (const size_t second : sizes) {
      for (const size_t size : {first, second, first}) {
        std::string bytes(size, '.');
        for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>('a' + i % 23);
        ++round;
        if (round % 4 > 0) bytes[(size - 1) * static_cast<size_t>(round % 4 - 1) / 2] = '#';
        Replace(bytes);
        EXPECT_EQ(Names(), round == 1 ? 1u : 2u);
      }
    }
  }
  EXPECT_EQ(plan_.operations(FileOp::kWrite), 2u) << "all others were written over a spare";
}

TEST_F(ReplacedFileTest, ModeIsExactlyWhatIsAskedFor) {
  file_.emplace(fs_, random_, kPath, ReplacedFileOptions{.mode = 0640, .large = kLarge, .block = kBlock});
  for (int i = 0; i < 4; ++i) {
    Replace(std::string(300, static_cast<char>('a' + i)));
    EXPECT_EQ(disk_.Stat(kPath)->mode, 0640u);
  }
  EXPECT_GT(plan_.operations(FileOp::kWriteAt), 0u);
}

class UnsupportedTest : public ReplacedFileTest, public ::testing::WithParamInterface<int> {};

INSTANTIATE_TEST_SUITE_P(Errors, UnsupportedTest, ::testing::Values(EINVAL, ENOSYS, EOPNOTSUPP));

TEST_P(UnsupportedTest, WhereNamesCannotBeExchangedItIsTriedOnce) {
  plan_.Arm({.ops = {FileOp::kExchange}, .persistent = true, .error = GetParam()});
  Replace(std::string(300, 'a'));
  EXPECT_EQ(Replace(std::string(300, 'b')),
            "open, write 300, fsync, close, lstat, lstat, exchange, rename, fsync folder");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Replace(std::string(300, static_cast<char>('c' + i))), kAtomicWrite);
  EXPECT_EQ(Names(), 1u);
}

TEST_P(UnsupportedTest, WhereThereAreNoLeasesItIsTriedOnce) {
  plan_.Arm({.ops = {FileOp::kTakeAlone}, .persistent = true, .error = GetParam()});
  Replace(std::string(300, 'a'));
  Replace(std::string(300, 'b'));
  EXPECT_EQ(Replace(std::string(300, 'c')),
            "open, lease, stat, unlink, open, write 300, fsync, close, lstat, rename, fsync folder");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Replace(std::string(300, static_cast<char>('d' + i))), kAtomicWrite);
  EXPECT_EQ(Names(), 1u);
}

TEST_F(ReplacedFileTest, WhoMayNotHaveALeaseDoesNotAskAgain) {
  plan_.Arm({.ops = {FileOp::kTakeAlone}, .persistent = true, .error = EACCES});
  for (int i = 0; i < 5; ++i) Replace(std::string(300, static_cast<char>('a' + i)));
  EXPECT_EQ(plan_.operations(FileOp::kTakeAlone), 1u);
  EXPECT_EQ(Names(), 1u);
}

}  // namespace
}  // namespace kubelet_cm
