#include "common/filesystem/file_functions.h"

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "common/filesystem/atomic_write.h"
#include "common/filesystem/crash_explorer.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

TEST(ReadFileTest, ReadsUpToTheBoundAndRefusesMore) {
  FakeFileSystem fs;
  ASSERT_OK((*fs.Open("/a", OpenMode::kCreate))->Write("12345"));
  EXPECT_THAT(ReadFile(fs, "/a", 5), IsOkAndHolds("12345"));
  EXPECT_THAT(ReadFile(fs, "/a", 4), StatusIs(absl::StatusCode::kResourceExhausted, "read /a: larger than 4 bytes"));
}

TEST(ReadFileTest, AMissingFileIsNotFound) {
  FakeFileSystem fs;
  EXPECT_THAT(ReadFile(fs, "/a", 5), StatusIs(absl::StatusCode::kNotFound));
}

TEST(ReadFileTest, FoldersAndSocketsAreRefused) {
  FakeFileSystem fs;
  ASSERT_OK(fs.AddSocket("/socket"));
  for (const std::string path : {"/", "/socket"}) {
    EXPECT_THAT(ReadFile(fs, path, 5), StatusIs(absl::StatusCode::kFailedPrecondition));
  }
}

TEST(ReadFileTest, PassesAReadErrorOn) {
  FakeFileSystem disk;
  ASSERT_OK(disk.Open("/a", OpenMode::kCreate).status());
  FaultPlan plan;
  plan.Arm({.ops = {FileOp::kRead}});
  FaultyFileSystem fs(disk, plan);
  EXPECT_EQ(ErrnoOf(ReadFile(fs, "/a", 5).status()), EIO);
}

// What a daemon does: makes its folder, writes a state, tells of it. Returns how often that which was told is missing
// after a crash, where some runs come on what an earlier one that was killed has left.
std::vector<std::string> LostStates(const std::function<absl::Status(FileSystem&)>& make_folder) {
  std::vector<std::string> lost;
  const auto start = [&](FileSystem& fs) {
    SeededRandom random(1);
    return make_folder(fs).ok() && AtomicWrite(fs, random, "/var/lib/state", "x", 0600).ok();
  };
  bool told = false;
  const auto note_if_lost = [&](FakeFileSystem& left, const std::string& where) {
    if (told && ReadFile(left, "/var/lib/state", 100) != absl::StatusOr<std::string>("x")) lost.push_back(where);
  };
  const absl::StatusOr<CrashCoverage> coverage =
      ExploreCrashes({.set_up = [&](FakeFileSystem&) { told = false; },
                      .run = [&](FileSystem& fs) { told = start(fs); },
                      .check =
                          [&](FakeFileSystem& left, const std::string& where) {
                            note_if_lost(left, where);
                            const bool told_before = told;
                            told = start(left);
                            left.CutPower({}, [](size_t) { return 0; });  // all that is not durable is lost
                            note_if_lost(left, where + ", restart, power cut");
                            told = told_before;
                          }});
  EXPECT_OK(coverage);
  return lost;
}

TEST(MakeFoldersDurablyTest, WhatIsWrittenIntoTheFolderSurvives) {
  EXPECT_THAT(LostStates([](FileSystem& fs) { return MakeFoldersDurably(fs, "/var/lib", 0755); }), IsEmpty());
}

TEST(MakeFoldersDurablyTest, MakeFoldersAloneIsNotEnough) {
  EXPECT_THAT(LostStates([](FileSystem& fs) { return fs.MakeFolders("/var/lib", 0755); }), Not(IsEmpty()));
}

TEST(MakeFoldersDurablyTest, SyncingOnlyWhatThisRunMadeIsNotEnough) {
  const auto sync_if_missing = [](FileSystem& fs) {
    return fs.Stat("/var/lib").ok() ? absl::OkStatus() : MakeFoldersDurably(fs, "/var/lib", 0755);
  };
  EXPECT_THAT(LostStates(sync_if_missing), Not(IsEmpty()));
}

TEST(MakeFoldersDurablyTest, FoldersThatMustNotBeReadAreSkippedAndOtherErrorsAreNot) {
  FakeFileSystem disk;
  FaultPlan plan;
  FaultyFileSystem fs(disk, plan);
  plan.Arm({.ops = {FileOp::kSyncFolder}, .path_pattern = "^/$", .error = EACCES});
  EXPECT_OK(MakeFoldersDurably(fs, "/var/lib", 0755));
  plan.Arm({.ops = {FileOp::kSyncFolder}});
  EXPECT_EQ(ErrnoOf(MakeFoldersDurably(fs, "/var/lib", 0755)), EIO);
}

}  // namespace
}  // namespace kubelet_cm
