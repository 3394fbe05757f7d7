// ReplacedFile against every I/O error at every one of its operations, one at a time, for once and for good.
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/replaced_file.h"
#include "common/random/seeded_random.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AnyOf;
using ::testing::Le;
using ::testing::SizeIs;

constexpr ReplacedFileOptions kOptions = {.large = 256, .block = 64};
constexpr size_t kWrites = 6;

// Of changing length, with something else in every block but the second.
std::string State(size_t number) {
  std::string bytes(300 + 90 * (number % 3), static_cast<char>('a' + number));
  return bytes.replace(64, 64, std::string(64, '='));
}

// Replaces the file by one state after the other, as far as `plan` lets it.
class Disk {
 public:
  Disk() {
    EXPECT_OK(disk_.MakeFolders("/state", 0755));
    EXPECT_OK(file_.Replace(State(0)));
    first_ = plan_.operations();
  }

  // Arms `fault` at the nth operation from now on.
  void Arm(Fault fault) { plan_.Arm(std::move(fault)); }
  void Mend() { plan_.DisarmAll(); }
  size_t operations() const { return plan_.operations() - first_; }
  // The nth, counted from 1.
  FileOperation operation(size_t nth) const { return plan_.trace()[first_ + nth - 1]; }

  absl::Status Replace(size_t number) { return file_.Replace(State(number)); }
  std::string Bytes() { return *ReadFile(disk_, "/state/file", 4096); }
  std::vector<std::string> Names() { return *disk_.List("/state"); }

 private:
  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem fs_{disk_, plan_};
  SeededRandom random_{1};
  ReplacedFile file_{fs_, random_, "/state/file", kOptions};
  size_t first_ = 0;
};

size_t AllOperations() {
  Disk disk;
  for (size_t number = 1; number <= kWrites; ++number) EXPECT_OK(disk.Replace(number));
  return disk.operations();
}

// With `fault`: after each replacement the file is what the answer says, and once the disk is mended, the next one
// succeeds. Returns how many failed.
size_t Try(const Fault& fault) {
  Disk disk;
  disk.Arm(fault);
  size_t failures = 0;
  std::string known = State(0);
  for (size_t number = 1; number <= kWrites; ++number) {
    const absl::Status replaced = disk.Replace(number);
    if (replaced.ok()) {
      EXPECT_EQ(disk.Bytes(), State(number));
    } else {
      ++failures;
      EXPECT_EQ(ErrnoOf(replaced), fault.error);
      EXPECT_THAT(disk.Bytes(), AnyOf(known, State(number)));
    }
    known = disk.Bytes();
  }
  disk.Mend();
  EXPECT_OK(disk.Replace(kWrites + 1));
  EXPECT_EQ(disk.Bytes(), State(kWrites + 1));
  EXPECT_OK(disk.Replace(kWrites + 2));
  EXPECT_EQ(disk.Bytes(), State(kWrites + 2));
  return failures;
}

TEST(ReplacedFileErrorTest, ATransientErrorFailsOneReplacementAtMost) {
  const size_t operations = AllOperations();
  ASSERT_GT(operations, kWrites * 8);
  for (size_t nth = 1; nth <= operations; ++nth) {
    for (const int error : {EIO, ENOSPC, EACCES, EINVAL}) {
      for (const size_t bytes_written : {0, 1, 64}) {
        SCOPED_TRACE(absl::StrCat("operation ", nth, ", errno ", error, ", written ", bytes_written));
        EXPECT_THAT(Try({.nth = nth, .error = error, .bytes_written = bytes_written}), Le(1u));
      }
    }
  }
}

TEST(ReplacedFileErrorTest, APersistentErrorNeverMakesItsAnswersWrong) {
  const size_t operations = AllOperations();
  for (size_t nth = 1; nth <= operations; ++nth) {
    for (const int error : {EIO, ENOSPC, EROFS}) {
      SCOPED_TRACE(absl::StrCat("operation ", nth, ", errno ", error));
      EXPECT_THAT(Try({.nth = nth, .persistent = true, .error = error}), ::testing::Ge(1u));
    }
  }
}

TEST(ReplacedFileErrorTest, AnErrorAfterTheEffectLeavesTheOldOrTheNewFileWhole) {
  const size_t operations = AllOperations();
  for (size_t nth = 1; nth <= operations; ++nth) {
    SCOPED_TRACE(absl::StrCat("operation ", nth));
    EXPECT_THAT(Try({.nth = nth, .effect = FaultEffect::kFailAfterEffect}), Le(1u));
  }
}

// The file is the old one whatever failed, but for the sync of the folder; and nothing is left but it and a spare.
TEST(ReplacedFileErrorTest, TheOldFileStaysAndNoTempIsLeft) {
  const size_t operations = AllOperations();
  for (size_t nth = 1; nth <= operations; ++nth) {
    Disk disk;
    disk.Arm({.nth = nth + 0});
    for (size_t number = 1; number <= kWrites; ++number) {
      if (disk.Replace(number).ok()) continue;
      const FileOperation failed = disk.operation(nth);
      EXPECT_EQ(disk.Bytes(), State(failed.op == FileOp::kSyncFolder ? number : number - 1)) << failed;
      EXPECT_THAT(disk.Names(), SizeIs(1)) << failed;
      break;
    }
    EXPECT_THAT(disk.Names(), SizeIs(Le(2u))) << nth;
  }
}

// Which errors fail a replacement that goes over a spare: those of changing it. Those of looking at it cost the spare.
TEST(ReplacedFileErrorTest, ASpareThatCannotBeLookedAtIsGivenUp) {
  for (const FileOp op : {FileOp::kOpen, FileOp::kTakeAlone, FileOp::kStat, FileOp::kRead}) {
    Disk disk;
    EXPECT_OK(disk.Replace(1));
    disk.Arm({.ops = {op}});
    EXPECT_OK(disk.Replace(2)) << FileOpName(op);
    EXPECT_EQ(disk.Bytes(), State(2));
    EXPECT_THAT(disk.Names(), SizeIs(2)) << "the file that was replaced is the next spare";
  }
  for (const FileOp op : {FileOp::kWriteAt, FileOp::kSyncFile, FileOp::kClose, FileOp::kExchange}) {
    Disk disk;
    EXPECT_OK(disk.Replace(1));
    disk.Arm({.ops = {op}, .error = ENOSPC});
    EXPECT_EQ(ErrnoOf(disk.Replace(2)), ENOSPC) << FileOpName(op);
    EXPECT_EQ(disk.Bytes(), State(1));
    EXPECT_THAT(disk.Names(), SizeIs(1));
  }
}

}  // namespace
}  // namespace kubelet_cm
