#include "kubelet_cm/life/state_lock.h"

#include <string>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

using ::testing::HasSubstr;

TEST(StateLockTest, TheFolderIsMade) {
  FakeFileSystem files;
  ASSERT_OK_AND_ASSIGN(const auto lock, StateLock::Take(files, "/var/lib/kubelet", 7));
  ASSERT_OK_AND_ASSIGN(const FileStat folder, files.Stat("/var/lib/kubelet"));
  EXPECT_EQ(folder.mode, 0750u);
  EXPECT_EQ(ReadFile(files, "/var/lib/kubelet/kubelet_cm.lock", 100).value_or(""), "7         \n");
}

TEST(StateLockTest, ASecondOneIsRefusedAndToldWhoHasIt) {
  const ShortTempDir folder;
  PosixFileSystem files;
  ASSERT_OK_AND_ASSIGN(const auto lock, StateLock::Take(files, folder.path(), 4711));
  EXPECT_THAT(StateLock::Take(files, folder.path(), 5),
              StatusIs(absl::StatusCode::kUnavailable,
                       HasSubstr("another kubelet_cm (process 4711) works on " + folder.path())));
}

TEST(StateLockTest, ItCanBeTakenAgainAfterItsHolderIsGone) {
  const ShortTempDir folder;
  PosixFileSystem files;
  ASSERT_OK(StateLock::Take(files, folder.path(), 1234567890).status());
  ASSERT_OK_AND_ASSIGN(const auto lock, StateLock::Take(files, folder.path(), 5));
  EXPECT_EQ(ReadFile(files, folder.File(kLockFile), 100).value_or(""), "5         \n");
}

TEST(StateLockTest, AKillGivesItBack) {
  FakeFileSystem files;
  ASSERT_OK_AND_ASSIGN(const auto lock, StateLock::Take(files, "/state", 1));
  EXPECT_THAT(StateLock::Take(files, "/state", 2), StatusIs(absl::StatusCode::kUnavailable));
  files.KillProcess();
  EXPECT_OK(StateLock::Take(files, "/state", 2).status());
}

TEST(StateLockTest, OtherErrorsAreThemselves) {
  FakeFileSystem files;
  ASSERT_OK(files.MakeFolders("/state", 0755));
  ASSERT_OK(files.MakeFolders("/state/kubelet_cm.lock", 0755));
  EXPECT_THAT(StateLock::Take(files, "/state", 1).status().message(), HasSubstr("/state/kubelet_cm.lock"));
}

}  // namespace
}  // namespace kubelet_cm::life
