// What every FileSystem promises, held against the real one and the fake one.
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

enum class Kind { kPosix, kFake };

class FileSystemContractTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::kFake) {
      file_system_ = std::make_unique<FakeFileSystem>();
      root_ = "/fake/root";
    } else {
      file_system_ = std::make_unique<PosixFileSystem>();
      std::string name = ::testing::TempDir() + "/contract.XXXXXX";
      ASSERT_NE(mkdtemp(name.data()), nullptr);
      root_ = name;
    }
    ASSERT_OK(fs().MakeFolders(root_, 0755));
  }

  FileSystem& fs() { return *file_system_; }
  std::string At(const std::string& name) const { return root_ + "/" + name; }

  void Put(const std::string& name, const std::string& bytes) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At(name), OpenMode::kCreateExclusive, 0600));
    ASSERT_OK(file->Write(bytes));
    ASSERT_OK(file->Close());
  }
  absl::StatusOr<std::string> Get(const std::string& name) { return ReadFile(fs(), At(name), 1 << 20); }

 private:
  std::unique_ptr<FileSystem> file_system_;
  std::string root_;
};

INSTANTIATE_TEST_SUITE_P(All, FileSystemContractTest, ::testing::Values(Kind::kPosix, Kind::kFake),
                         [](const auto& kind) { return kind.param == Kind::kPosix ? "Posix" : "Fake"; });

TEST_P(FileSystemContractTest, WhatIsWrittenIsReadBack) {
  Put("a", "hello");
  EXPECT_THAT(Get("a"), IsOkAndHolds("hello"));
}

TEST_P(FileSystemContractTest, OpenOfAMissingFileNamesItAndWhy) {
  const absl::Status status = fs().Open(At("a"), OpenMode::kRead).status();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kNotFound, "open " + At("a") + ": No such file or directory"));
  EXPECT_EQ(ErrnoOf(status), ENOENT);
  EXPECT_THAT(fs().Open(At("a"), OpenMode::kReadWrite), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(fs().Open(At("a"), OpenMode::kReadWriteNoLink), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemContractTest, AnOpenFileIsDescribedWhateverItsNameStandsFor) {
  Put("a", "old");
  Put("b", "newer");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kRead));
  ASSERT_OK_AND_ASSIGN(const FileStat before, fs().Stat(At("a")));
  ASSERT_OK(fs().Rename(At("b"), At("a")));
  ASSERT_OK_AND_ASSIGN(const FileStat open, file->Stat());
  EXPECT_EQ(open.kind, FileKind::kRegular);
  EXPECT_EQ(open.size, 3);
  EXPECT_EQ(open.inode, before.inode);
  EXPECT_EQ(open.mode, before.mode);
  EXPECT_EQ(open.owner, before.owner);
  EXPECT_EQ(open.group, before.group);
  EXPECT_EQ(before.links, 1u);
  EXPECT_THAT(file->Read(10), IsOkAndHolds("old"));
}

TEST_P(FileSystemContractTest, ExclusiveCreationRefusesAnExistingFile) {
  Put("a", "old");
  EXPECT_THAT(fs().Open(At("a"), OpenMode::kCreateExclusive), StatusIs(absl::StatusCode::kAlreadyExists));
  EXPECT_THAT(Get("a"), IsOkAndHolds("old"));
}

TEST_P(FileSystemContractTest, CreateOpensAnExistingFileAndKeepsItsBytes) {
  Put("a", "old bytes");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kCreate));
  EXPECT_OK(file->Write("new"));
  EXPECT_THAT(Get("a"), IsOkAndHolds("new bytes"));
}

TEST_P(FileSystemContractTest, ReadGoesOnWhereItStoppedAndIsShortOnlyAtTheEnd) {
  Put("a", "0123456789");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kRead));
  EXPECT_THAT(file->Read(4), IsOkAndHolds("0123"));
  EXPECT_THAT(file->Read(100), IsOkAndHolds("456789"));
  EXPECT_THAT(file->Read(100), IsOkAndHolds(""));
}

TEST_P(FileSystemContractTest, AFileOpenedForReadingCannotBeWritten) {
  Put("a", "");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kRead));
  EXPECT_EQ(ErrnoOf(file->Write("x")), EBADF);
}

TEST_P(FileSystemContractTest, AClosedFileAnswersWithAnError) {
  Put("a", "");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kReadWrite));
  EXPECT_OK(file->Sync());
  EXPECT_OK(file->Close());
  for (const absl::Status& status : {file->Read(1).status(), file->Write("x"), file->WriteAt(0, "x"), file->Resize(1),
                                     file->Stat().status(), file->Sync(), file->Lock(), file->TakeAlone()}) {
    EXPECT_EQ(ErrnoOf(status), EBADF);
  }
  EXPECT_EQ(ErrnoOf(file->Close()), EBADF);
}

TEST_P(FileSystemContractTest, RenameReplaces) {
  Put("a", "new");
  Put("b", "old");
  EXPECT_OK(fs().Rename(At("a"), At("b")));
  EXPECT_THAT(Get("b"), IsOkAndHolds("new"));
  EXPECT_THAT(Get("a"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_P(FileSystemContractTest, RenameMovesAFolderWithWhatIsInIt) {
  ASSERT_OK(fs().MakeFolders(At("from/in"), 0755));
  Put("from/in/a", "x");
  EXPECT_OK(fs().Rename(At("from"), At("to")));
  EXPECT_THAT(Get("to/in/a"), IsOkAndHolds("x"));
}

TEST_P(FileSystemContractTest, RenameRefusesWhatCannotBe) {
  Put("file", "");
  ASSERT_OK(fs().MakeFolders(At("folder/full"), 0755));
  ASSERT_OK(fs().MakeFolders(At("other"), 0755));
  EXPECT_EQ(ErrnoOf(fs().Rename(At("gone"), At("x"))), ENOENT);
  EXPECT_EQ(ErrnoOf(fs().Rename(At("file"), At("folder"))), EISDIR);
  EXPECT_EQ(ErrnoOf(fs().Rename(At("folder"), At("file"))), ENOTDIR);
  EXPECT_EQ(ErrnoOf(fs().Rename(At("other"), At("folder"))), ENOTEMPTY);
  EXPECT_EQ(ErrnoOf(fs().Rename(At("folder"), At("folder/full/in"))), EINVAL);
  EXPECT_EQ(ErrnoOf(fs().Rename(At("file"), At("gone/file"))), ENOENT);
}

TEST_P(FileSystemContractTest, UnlinkRemovesFilesOnly) {
  Put("a", "");
  EXPECT_OK(fs().Unlink(At("a")));
  EXPECT_EQ(ErrnoOf(fs().Unlink(At("a"))), ENOENT);
  ASSERT_OK(fs().MakeFolders(At("folder"), 0755));
  EXPECT_EQ(ErrnoOf(fs().Unlink(At("folder"))), EISDIR);
}

TEST_P(FileSystemContractTest, AnUnlinkedFileLivesWhileItIsOpen) {
  Put("a", "still here");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kRead));
  EXPECT_OK(fs().Unlink(At("a")));
  EXPECT_THAT(file->Read(100), IsOkAndHolds("still here"));
}

TEST_P(FileSystemContractTest, ListIsSortedAndHasEveryName) {
  Put("b", "");
  Put(".1", "");
  ASSERT_OK(fs().MakeFolders(At("a"), 0755));
  EXPECT_THAT(fs().List(At("")), IsOkAndHolds(ElementsAre(".1", "a", "b")));
  EXPECT_THAT(fs().List(At("a")), IsOkAndHolds(IsEmpty()));
  EXPECT_EQ(ErrnoOf(fs().List(At("b")).status()), ENOTDIR);
  EXPECT_EQ(ErrnoOf(fs().List(At("gone")).status()), ENOENT);
}

TEST_P(FileSystemContractTest, StatTellsKindSizeAndMode) {
  Put("a", "12345");
  ASSERT_OK(fs().Chmod(At("a"), 0640));
  ASSERT_OK_AND_ASSIGN(const FileStat file, fs().Stat(At("a")));
  EXPECT_EQ(file.kind, FileKind::kRegular);
  EXPECT_EQ(file.size, 5u);
  EXPECT_EQ(file.mode, 0640u);
  EXPECT_GT(file.modified, absl::UnixEpoch());
  ASSERT_OK_AND_ASSIGN(const FileStat folder, fs().Lstat(At("")));
  EXPECT_EQ(folder.kind, FileKind::kFolder);
  EXPECT_EQ(ErrnoOf(fs().Stat(At("gone")).status()), ENOENT);
}

TEST_P(FileSystemContractTest, AFileKeepsItsInodeWhenItIsRenamed) {
  Put("a", "");
  Put("b", "");
  ASSERT_OK_AND_ASSIGN(const FileStat before, fs().Stat(At("a")));
  ASSERT_OK_AND_ASSIGN(const FileStat other, fs().Stat(At("b")));
  EXPECT_NE(before.inode, other.inode);
  ASSERT_OK(fs().Rename(At("a"), At("b")));
  ASSERT_OK_AND_ASSIGN(const FileStat after, fs().Stat(At("b")));
  EXPECT_EQ(after.inode, before.inode);
}

TEST_P(FileSystemContractTest, MakeFoldersMakesWhatIsMissingAndLeavesWhatIsThere) {
  EXPECT_OK(fs().MakeFolders(At("a/b/c"), 0750));
  EXPECT_OK(fs().MakeFolders(At("a/b"), 0700));
  ASSERT_OK_AND_ASSIGN(const FileStat folder, fs().Stat(At("a/b")));
  EXPECT_EQ(folder.mode, 0750u);
}

TEST_P(FileSystemContractTest, MakeFoldersRefusesAFileOnTheWay) {
  Put("file", "");
  EXPECT_EQ(ErrnoOf(fs().MakeFolders(At("file"), 0755)), ENOTDIR);
  EXPECT_EQ(ErrnoOf(fs().MakeFolders(At("file/b"), 0755)), ENOTDIR);
}

TEST_P(FileSystemContractTest, SyncFolderIsForFolders) {
  EXPECT_OK(fs().SyncFolder(At("")));
  Put("file", "");
  EXPECT_EQ(ErrnoOf(fs().SyncFolder(At("file"))), ENOTDIR);
  EXPECT_EQ(ErrnoOf(fs().SyncFolder(At("gone"))), ENOENT);
}

TEST_P(FileSystemContractTest, FoldersAreOpenedForReadingOnlyAndHaveNoBytes) {
  EXPECT_EQ(ErrnoOf(fs().Open(At(""), OpenMode::kReadWrite).status()), EISDIR);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> folder, fs().Open(At(""), OpenMode::kRead));
  EXPECT_EQ(ErrnoOf(folder->Read(1).status()), EISDIR);
}

TEST_P(FileSystemContractTest, ALockIsHeldByOneHandleUntilItIsClosed) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<File> first, fs().Open(At("lock"), OpenMode::kCreate));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> second, fs().Open(At("lock"), OpenMode::kCreate));
  EXPECT_OK(first->Lock());
  EXPECT_OK(first->Lock());
  EXPECT_THAT(second->Lock(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("flock " + At("lock"))));
  first.reset();
  EXPECT_OK(second->Lock());
}

TEST_P(FileSystemContractTest, WriteAtLeavesThePositionWhereItIs) {
  Put("a", "0123456789");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kReadWrite));
  EXPECT_THAT(file->Read(2), IsOkAndHolds("01"));
  EXPECT_OK(file->WriteAt(3, "xyz"));
  EXPECT_THAT(file->Read(4), IsOkAndHolds("2xyz"));
  EXPECT_OK(file->WriteAt(11, "!"));
  EXPECT_THAT(Get("a"), IsOkAndHolds(std::string("012xyz6789\0!", 12)));
}

TEST_P(FileSystemContractTest, ResizeCutsOffOrAddsZeros) {
  Put("a", "0123");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kReadWrite));
  EXPECT_OK(file->Resize(2));
  EXPECT_THAT(Get("a"), IsOkAndHolds("01"));
  EXPECT_OK(file->Resize(3));
  EXPECT_THAT(Get("a"), IsOkAndHolds(std::string("01\0", 3)));
}

TEST_P(FileSystemContractTest, WhatIsOpenForReadingIsNotChanged) {
  Put("a", "0123");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kRead));
  EXPECT_EQ(ErrnoOf(file->WriteAt(0, "x")), EBADF);
  EXPECT_EQ(ErrnoOf(file->Resize(0)), EINVAL);
  EXPECT_THAT(Get("a"), IsOkAndHolds("0123"));
}

TEST_P(FileSystemContractTest, ExchangeSwapsWhatTwoNamesStandFor) {
  Put("a", "one");
  Put("b", "two");
  ASSERT_OK_AND_ASSIGN(const FileStat one, fs().Stat(At("a")));
  EXPECT_OK(fs().Exchange(At("a"), At("b")));
  EXPECT_THAT(Get("a"), IsOkAndHolds("two"));
  EXPECT_THAT(Get("b"), IsOkAndHolds("one"));
  EXPECT_EQ(fs().Stat(At("b"))->inode, one.inode);
  EXPECT_OK(fs().Exchange(At("a"), At("a")));
  EXPECT_THAT(Get("a"), IsOkAndHolds("two"));
}

TEST_P(FileSystemContractTest, ExchangeRefusesWhatCannotBe) {
  Put("file", "old");
  ASSERT_OK(fs().MakeFolders(At("folder"), 0755));
  Put("folder/in", "");
  EXPECT_EQ(ErrnoOf(fs().Exchange(At("file"), At("gone"))), ENOENT);
  EXPECT_EQ(ErrnoOf(fs().Exchange(At("gone"), At("file"))), ENOENT);
  EXPECT_EQ(ErrnoOf(fs().Exchange(At("folder/in"), At("folder"))), EINVAL);
  EXPECT_THAT(Get("file"), IsOkAndHolds("old"));
}

TEST_P(FileSystemContractTest, LinkGivesAFileASecondName) {
  Put("a", "one");
  EXPECT_OK(fs().Link(At("a"), At("b")));
  EXPECT_EQ(fs().Stat(At("b"))->inode, fs().Stat(At("a"))->inode);
  EXPECT_OK(fs().Unlink(At("a")));
  EXPECT_THAT(Get("b"), IsOkAndHolds("one"));
}

TEST_P(FileSystemContractTest, LinkRefusesWhatCannotBe) {
  Put("file", "old");
  Put("other", "new");
  ASSERT_OK(fs().MakeFolders(At("folder"), 0755));
  EXPECT_EQ(ErrnoOf(fs().Link(At("gone"), At("x"))), ENOENT);
  EXPECT_EQ(ErrnoOf(fs().Link(At("other"), At("file"))), EEXIST);
  EXPECT_EQ(ErrnoOf(fs().Link(At("folder"), At("x"))), EPERM);
  EXPECT_THAT(Get("file"), IsOkAndHolds("old"));
}

TEST_P(FileSystemContractTest, OnlyWhoIsAloneWithAFileTakesIt) {
  Put("a", "bytes");
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<File> reader, fs().Open(At("a"), OpenMode::kRead));
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<File> file, fs().Open(At("a"), OpenMode::kReadWriteNoLink));
  EXPECT_THAT(file->TakeAlone(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("lease " + At("a"))));
  reader.reset();
  EXPECT_OK(file->TakeAlone());
  EXPECT_OK(file->TakeAlone());
  EXPECT_OK(file->WriteAt(0, "B"));
  EXPECT_OK(file->Close());
  EXPECT_THAT(Get("a"), IsOkAndHolds("Bytes"));
  ASSERT_OK_AND_ASSIGN(file, fs().Open(At("a"), OpenMode::kReadWriteNoLink));
  EXPECT_OK(file->TakeAlone());
  file.reset();
  EXPECT_THAT(Get("a"), IsOkAndHolds("Bytes"));
}

TEST_P(FileSystemContractTest, AFileThatHasLostItsNameIsStillTakenByNobodyElse) {
  Put("a", "");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> reader, fs().Open(At("a"), OpenMode::kRead));
  ASSERT_OK(fs().Rename(At("a"), At("b")));
  Put("a", "");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> renamed, fs().Open(At("b"), OpenMode::kReadWrite));
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> other, fs().Open(At("a"), OpenMode::kReadWrite));
  EXPECT_THAT(renamed->TakeAlone(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(other->TakeAlone());
}

TEST_P(FileSystemContractTest, NamesHaveALimit) {
  EXPECT_EQ(ErrnoOf(fs().Open(At(std::string(256, 'x')), OpenMode::kCreate).status()), ENAMETOOLONG);
}

}  // namespace
}  // namespace kubelet_cm
