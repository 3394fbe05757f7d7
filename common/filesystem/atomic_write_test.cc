#include "common/filesystem/atomic_write.h"

#include <cerrno>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/random/fake_random.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kLargest = std::numeric_limits<uint64_t>::max();

class AtomicWriteTest : public ::testing::Test {
 protected:
  AtomicWriteTest() {
    disk_.MakeFolders("/state", 0755).IgnoreError();
    disk_.Settle();
  }

  std::vector<std::string> Trace() const {
    std::vector<std::string> trace;
    for (const FileOperation& operation : plan_.trace()) trace.push_back(operation.ToString());
    return trace;
  }

  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem fs_{disk_, plan_};
};

TEST_F(AtomicWriteTest, WritesSyncsRenamesAndSyncsTheFolder) {
  FakeRandom random({42});
  ASSERT_OK(AtomicWrite(fs_, random, "/state/a", "bytes", 0600));
  EXPECT_THAT(ReadFile(disk_, "/state/a", 100), IsOkAndHolds("bytes"));
  EXPECT_THAT(Trace(), ElementsAre("open /state/.42", "write /state/.42", "fsync /state/.42", "close /state/.42",
                                   "rename /state/.42 /state/a", "fsync folder /state"));
}

TEST_F(AtomicWriteTest, ReplacesAndLeavesNothingElse) {
  FakeRandom random({1, kLargest});
  ASSERT_OK(AtomicWrite(fs_, random, "/state/a", "a long old text", 0600));
  ASSERT_OK(AtomicWrite(fs_, random, "/state/a", "new", 0600));
  EXPECT_THAT(ReadFile(disk_, "/state/a", 100), IsOkAndHolds("new"));
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre("a")));
}

TEST_F(AtomicWriteTest, AnotherModeIsSetBeforeTheFileIsSeen) {
  FakeRandom random({42});
  ASSERT_OK(AtomicWrite(fs_, random, "/state/a", "x", 0644));
  EXPECT_EQ(disk_.Stat("/state/a")->mode, 0644u);
  EXPECT_THAT(Trace(), ElementsAre("open /state/.42", "write /state/.42", "chmod /state/.42", "fsync /state/.42",
                                   "close /state/.42", "rename /state/.42 /state/a", "fsync folder /state"));
}

TEST_F(AtomicWriteTest, ANameThatIsTakenCostsAnotherDraw) {
  ASSERT_OK(disk_.Open("/state/.1", OpenMode::kCreate).status());
  ASSERT_OK(disk_.AddSymlink("/elsewhere", "/state/.2"));
  FakeRandom random({1, 2, 3});
  ASSERT_OK(AtomicWrite(fs_, random, "/state/a", "x", 0600));
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre(".1", ".2", "a")));
  EXPECT_THAT(disk_.List("/"), IsOkAndHolds(ElementsAre("state")));
}

TEST_F(AtomicWriteTest, GivesUpWhenEveryNameIsTaken) {
  class Stuck : public Random {
    uint64_t Uint64() override { return 1; }
  } random;
  ASSERT_OK(disk_.Open("/state/.1", OpenMode::kCreate).status());
  EXPECT_THAT(AtomicWrite(fs_, random, "/state/a", "x", 0600), StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST_F(AtomicWriteTest, AMissingFolderIsNotFound) {
  FakeRandom random({1});
  EXPECT_THAT(AtomicWrite(fs_, random, "/gone/a", "x", 0600),
              StatusIs(absl::StatusCode::kNotFound, "open /gone/.1: No such file or directory"));
}

TEST_F(AtomicWriteTest, CloseErrorsHaveTheirOwnText) {
  plan_.Arm({.ops = {FileOp::kClose}});
  FakeRandom random({1});
  EXPECT_THAT(AtomicWrite(fs_, random, "/state/a", "x", 0600),
              StatusIs(absl::StatusCode::kInternal, "close error: close /state/.1: Input/output error"));
}

TEST_F(AtomicWriteTest, ErrorsWhileCleaningUpAreAddedAndTheFirstOneCounts) {
  plan_.Arm({.ops = {FileOp::kWrite}, .error = ENOSPC});
  plan_.Arm({.ops = {FileOp::kClose, FileOp::kUnlink}, .persistent = true});
  FakeRandom random({1});
  const absl::Status status = AtomicWrite(fs_, random, "/state/a", "x", 0600);
  EXPECT_EQ(ErrnoOf(status), ENOSPC);
  EXPECT_THAT(
      status,
      StatusIs(absl::StatusCode::kResourceExhausted,
               "failed to remove the temporary file (\"/state/.1\") after error failed to close temp file after "
               "error write /state/.1: No space left on device; close error: close /state/.1: Input/output "
               "error; remove error: unlink /state/.1: Input/output error"));
}

TEST_F(AtomicWriteTest, SweepRemovesTempFilesAndNothingElse) {
  for (const std::string name : {".1", ".0123456789", "a", ".a", ".1a", "1", ".hidden", ".12.3"}) {
    ASSERT_OK(disk_.Open("/state/" + name, OpenMode::kCreate).status());
  }
  ASSERT_OK(disk_.MakeFolders("/state/.2", 0755));
  ASSERT_OK(disk_.AddSocket("/state/.3"));
  ASSERT_OK(disk_.AddSymlink("/state/a", "/state/.4"));
  EXPECT_THAT(SweepTempFiles(fs_, "/state"), IsOkAndHolds(ElementsAre(".0123456789", ".1")));
  EXPECT_THAT(disk_.List("/state"),
              IsOkAndHolds(ElementsAre(".12.3", ".1a", ".2", ".3", ".4", ".a", ".hidden", "1", "a")));
}

TEST_F(AtomicWriteTest, SweepGoesOnAfterAnError) {
  for (const std::string name : {".1", ".2", ".3"}) ASSERT_OK(disk_.Open("/state/" + name, OpenMode::kCreate).status());
  plan_.Arm({.ops = {FileOp::kUnlink}, .path_pattern = "2$", .error = EACCES});
  EXPECT_EQ(ErrnoOf(SweepTempFiles(fs_, "/state").status()), EACCES);
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre(".2")));
}

TEST_F(AtomicWriteTest, SweepForgivesWhatSomebodyElseRemoved) {
  for (const std::string name : {".1", ".2"}) ASSERT_OK(disk_.Open("/state/" + name, OpenMode::kCreate).status());
  plan_.Arm({.ops = {FileOp::kLstat}, .path_pattern = "1$", .error = ENOENT});
  plan_.Arm({.ops = {FileOp::kUnlink}, .path_pattern = "2$", .error = ENOENT});
  EXPECT_THAT(SweepTempFiles(fs_, "/state"), IsOkAndHolds(IsEmpty()));
}

TEST_F(AtomicWriteTest, SweepOfAMissingFolderIsNotFound) {
  EXPECT_THAT(SweepTempFiles(fs_, "/gone"), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kubelet_cm
