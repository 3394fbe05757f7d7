#include "common/unixsocket/socket_file.h"

#include <cerrno>
#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SocketFileTest : public ::testing::Test {
 protected:
  const ShortTempDir folder_;
  const std::string path_ = folder_.File("x");
  PosixFileSystem files_;
};

TEST_F(SocketFileTest, NothingToRemoveIsFine) { EXPECT_OK(RemoveStaleSocket(files_, path_)); }

TEST_F(SocketFileTest, SocketIsRemoved) {
  const SilentSocket socket(path_);
  EXPECT_OK(RemoveStaleSocket(files_, path_));
  EXPECT_THAT(files_.Lstat(path_), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(SocketFileTest, LinkToASocketIsRemovedAndTheSocketStays) {
  const SilentSocket socket(folder_.File("target"));
  std::filesystem::create_symlink("target", path_);
  EXPECT_OK(RemoveStaleSocket(files_, path_));
  EXPECT_THAT(files_.Lstat(path_), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_OK(files_.Lstat(folder_.File("target")));
}

TEST_F(SocketFileTest, RegularFileStays) {
  ASSERT_OK(files_.Open(path_, OpenMode::kCreate));
  EXPECT_THAT(RemoveStaleSocket(files_, path_), StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(path_)));
  EXPECT_OK(files_.Lstat(path_));
}

TEST_F(SocketFileTest, DanglingLinkStays) {
  std::filesystem::create_symlink("nowhere", path_);
  EXPECT_THAT(RemoveStaleSocket(files_, path_), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_OK(files_.Lstat(path_));
}

TEST_F(SocketFileTest, FolderStays) {
  ASSERT_OK(files_.MakeFolders(path_, 0700));
  EXPECT_THAT(RemoveStaleSocket(files_, path_), StatusIs(absl::StatusCode::kFailedPrecondition));
}

TEST_F(SocketFileTest, APublishedSocketHasItsNewNameOnly) {
  const SilentSocket socket(folder_.File("y"));
  ASSERT_OK_AND_ASSIGN(const FileStat bound, files_.Lstat(folder_.File("y")));
  EXPECT_OK(PublishSocket(files_, folder_.File("y"), path_));
  EXPECT_EQ(files_.Lstat(path_)->inode, bound.inode);
  EXPECT_THAT(files_.List(folder_.path()), IsOkAndHolds(ElementsAre("x")));
}

TEST_F(SocketFileTest, WhereAFileHasOneNameOnlyTheSocketMoves) {
  const SilentSocket socket(folder_.File("y"));
  FaultPlan plan;
  plan.Arm({.ops = {FileOp::kLink}, .error = EPERM});
  FaultyFileSystem files(files_, plan);
  EXPECT_OK(PublishSocket(files, folder_.File("y"), path_));
  EXPECT_THAT(files_.List(folder_.path()), IsOkAndHolds(ElementsAre("x")));
}

TEST_F(SocketFileTest, WhatIsThereIsNotReplacedByAPublishedSocket) {
  const SilentSocket socket(folder_.File("y"));
  ASSERT_OK(files_.Open(path_, OpenMode::kCreate));
  EXPECT_THAT(PublishSocket(files_, folder_.File("y"), path_), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_EQ(files_.Lstat(path_)->kind, FileKind::kRegular);
}

TEST_F(SocketFileTest, MissingFolderIsMadeWithItsPermissions) {
  ASSERT_OK(PrepareSocketFolder(files_, path_ + "/y", 0750));
  ASSERT_OK_AND_ASSIGN(const FileStat stat, files_.Stat(path_ + "/y"));
  EXPECT_EQ(stat.mode, 0750u);
}

TEST_F(SocketFileTest, FolderThatIsThereKeepsItsPermissions) {
  ASSERT_OK(files_.MakeFolders(path_, 0700));
  ASSERT_OK(PrepareSocketFolder(files_, path_, 0750));
  ASSERT_OK_AND_ASSIGN(const FileStat stat, files_.Stat(path_));
  EXPECT_EQ(stat.mode, 0700u);
}

TEST_F(SocketFileTest, FolderThatEverybodyMayWriteToIsRefused) {
  ASSERT_OK(files_.Chmod(folder_.path(), 0757));
  EXPECT_THAT(PrepareSocketFolder(files_, folder_.path(), 0750),
              StatusIs(absl::StatusCode::kPermissionDenied, AllOf(HasSubstr(folder_.path()), HasSubstr("0757"))));
}

TEST_F(SocketFileTest, StickyFolderIsTaken) {
  ASSERT_OK(files_.Chmod(folder_.path(), 01777));
  EXPECT_OK(PrepareSocketFolder(files_, folder_.path(), 0750));
}

TEST_F(SocketFileTest, FileInPlaceOfTheFolderIsRefused) {
  ASSERT_OK(files_.Open(path_, OpenMode::kCreate));
  EXPECT_THAT(PrepareSocketFolder(files_, path_, 0750), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kubelet_cm
