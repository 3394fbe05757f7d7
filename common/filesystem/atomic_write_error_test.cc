// AtomicWrite against every I/O error at every one of its operations, one at a time, for once and for good.
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kOperations = 7;  // open, write, chmod, fsync, close, rename, fsync of the folder
const std::string kOld(200, 'o');
const std::string kNew(300, 'n');

struct Outcome {
  absl::Status status;
  std::string failed;  // the operation that the fault struck first
  std::vector<FileOperation> trace;
  std::vector<std::string> names;  // in the folder afterwards
  absl::StatusOr<std::string> bytes;
};

// Replaces kOld by kNew with `faults` armed.
Outcome WriteWith(const std::vector<Fault>& faults) {
  FakeFileSystem disk;
  EXPECT_OK(disk.MakeFolders("/state", 0755));
  SeededRandom random(1);
  EXPECT_OK(AtomicWrite(disk, random, "/state/file", kOld, 0600));
  FaultPlan plan;
  for (const Fault& fault : faults) plan.Arm(fault);
  FaultyFileSystem fs(disk, plan);
  Outcome outcome;
  outcome.status = AtomicWrite(fs, random, "/state/file", kNew, 0644);
  outcome.trace = plan.trace();
  outcome.names = *disk.List("/state");
  outcome.bytes = ReadFile(disk, "/state/file", 4096);
  if (faults.front().nth <= outcome.trace.size()) outcome.failed = outcome.trace[faults.front().nth - 1].ToString();
  return outcome;
}

// The errors that an operation may meet, as faults at the n-th one.
std::vector<Fault> FaultsAt(uint64_t nth) {
  std::vector<Fault> faults;
  for (const int error : {EIO, ENOSPC, EACCES, EINTR, EROFS, EDQUOT}) {
    for (const size_t bytes_written : {0, 1, 64, 299}) {
      faults.push_back({.nth = nth, .error = error, .bytes_written = bytes_written});
    }
  }
  return faults;
}

TEST(AtomicWriteErrorTest, TheScenarioHasAllTheOperations) {
  EXPECT_EQ(WriteWith({{.nth = 1000}}).trace.size(), kOperations);
}

TEST(AtomicWriteErrorTest, ATransientErrorIsReportedAndLeavesTheOldFileAndNoTemp) {
  for (uint64_t nth = 1; nth <= kOperations; ++nth) {
    for (const Fault& fault : FaultsAt(nth)) {
      const Outcome outcome = WriteWith({fault});
      SCOPED_TRACE(absl::StrCat(outcome.failed, ", errno ", fault.error, ", written ", fault.bytes_written));
      EXPECT_EQ(ErrnoOf(outcome.status), fault.error);
      EXPECT_THAT(outcome.status.message(), HasSubstr(outcome.trace[nth - 1].path));
      // Once renamed it is the new file; only how long it stays is uncertain.
      EXPECT_THAT(outcome.bytes, IsOkAndHolds(nth < kOperations ? kOld : kNew));
      EXPECT_THAT(outcome.names, ElementsAre("file"));
    }
  }
}

TEST(AtomicWriteErrorTest, APersistentErrorIsReportedAndLeavesTheOldFile) {
  for (uint64_t nth = 1; nth <= kOperations; ++nth) {
    for (Fault fault : FaultsAt(nth)) {
      fault.persistent = true;
      const Outcome outcome = WriteWith({fault});
      SCOPED_TRACE(absl::StrCat(outcome.failed, ", errno ", fault.error));
      EXPECT_EQ(ErrnoOf(outcome.status), fault.error);
      EXPECT_THAT(outcome.bytes, IsOkAndHolds(nth < kOperations ? kOld : kNew));
    }
  }
}

TEST(AtomicWriteErrorTest, WhenOnlyUnlinkWorksNoTempIsLeft) {
  for (uint64_t nth = 2; nth <= kOperations; ++nth) {
    for (Fault fault : FaultsAt(nth)) {
      fault.persistent = true;
      fault.ops = {FileOp::kOpen,  FileOp::kWrite,  FileOp::kChmod,     FileOp::kSyncFile,
                   FileOp::kClose, FileOp::kRename, FileOp::kSyncFolder};
      const Outcome outcome = WriteWith({fault});
      EXPECT_EQ(ErrnoOf(outcome.status), fault.error);
      EXPECT_THAT(outcome.names, ElementsAre("file")) << outcome.failed;
    }
  }
}

// As over a network: it has happened, and its answer was lost.
TEST(AtomicWriteErrorTest, AnErrorAfterTheEffectLeavesTheOldOrTheNewFileWhole) {
  for (uint64_t nth = 1; nth <= kOperations; ++nth) {
    const Outcome outcome = WriteWith({{.nth = nth, .effect = FaultEffect::kFailAfterEffect}});
    SCOPED_TRACE(outcome.failed);
    EXPECT_EQ(ErrnoOf(outcome.status), EIO);
    EXPECT_THAT(outcome.bytes, AnyOf(IsOkAndHolds(kOld), IsOkAndHolds(kNew)));
    // Of a temporary file whose creation failed nothing is known; a sweep finds it.
    if (nth > 1) {
      EXPECT_THAT(outcome.names, ElementsAre("file"));
    }
  }
}

TEST(AtomicWriteErrorTest, TwoErrorsLeaveTheOldOrTheNewFileWhole) {
  for (uint64_t first = 1; first <= kOperations; ++first) {
    for (uint64_t second = first + 1; second <= kOperations + 2; ++second) {
      const Outcome outcome = WriteWith({{.nth = first, .error = ENOSPC}, {.nth = second}});
      EXPECT_EQ(ErrnoOf(outcome.status), ENOSPC) << outcome.failed << ", " << second;
      EXPECT_THAT(outcome.bytes, IsOkAndHolds(first < kOperations ? kOld : kNew)) << outcome.failed << ", " << second;
    }
  }
}

TEST(AtomicWriteErrorTest, TheNextWriteSucceeds) {
  FakeFileSystem disk;
  FaultPlan plan;
  FaultyFileSystem fs(disk, plan);
  plan.Arm({.nth = 2, .persistent = true, .error = ENOSPC});  // the temporary file stays
  SeededRandom random(1);
  EXPECT_EQ(ErrnoOf(AtomicWrite(fs, random, "/file", kNew, 0600)), ENOSPC);
  plan.DisarmAll();
  EXPECT_OK(AtomicWrite(fs, random, "/file", kNew, 0600));
  EXPECT_THAT(ReadFile(disk, "/file", 4096), IsOkAndHolds(kNew));
  EXPECT_THAT(SweepTempFiles(fs, "/"), IsOkAndHolds(::testing::SizeIs(1)));
}

}  // namespace
}  // namespace kubelet_cm
