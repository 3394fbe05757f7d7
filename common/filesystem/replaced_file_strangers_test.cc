// What other programs do with the file and its spare: who reads keeps his bytes, and what is not as it was left is not
// used. On the real file system and on the fake one.
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/filesystem/atomic_write.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/filesystem/replaced_file.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

constexpr size_t kBytes = 300 << 10;

// What is there after `number` changes: something else in every block.
std::string State(int number) {
  std::string bytes(kBytes + static_cast<size_t>(number), static_cast<char>('a' + number % 23));
  return bytes;
}

enum class Kind { kPosix, kFake };

class ReplacedFileStrangersTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() == Kind::kFake) {
      fs_ = std::make_unique<FakeFileSystem>();
      root_ = "/state";
    } else {
      fs_ = std::make_unique<PosixFileSystem>();
      std::string name = ::testing::TempDir() + "/strangers.XXXXXX";
      ASSERT_NE(mkdtemp(name.data()), nullptr);
      root_ = name;
    }
    ASSERT_OK(fs_->MakeFolders(root_, 0755));
    file_.emplace(*fs_, random_, At("file"));
    // Until there is a spare that has been written over.
    for (int i = 0; i < 3; ++i) Replace();
    ASSERT_NE(Spare(), "");
  }

  std::string At(const std::string& name) const { return root_ + "/" + name; }

  // The next state; it is there, and the spare afterwards is a file of the ordinary kind.
  void Replace() {
    EXPECT_OK(file_->Replace(State(++number_)));
    EXPECT_TRUE(*ReadFile(*fs_, At("file"), 2 * kBytes) == State(number_));
  }
  // As often as it takes to see that what a stranger did has no consequences; there is a spare again in the end.
  void ReplaceAFewTimes() {
    for (int i = 0; i < 4; ++i) Replace();
    EXPECT_NE(Spare(), "");
  }

  // The path of the spare; empty when there is none.
  std::string Spare() {
    const std::vector<std::string> names = *fs_->List(root_);
    for (const std::string& name : names) {
      if (name[0] == '.') return At(name);
    }
    return "";
  }
  uint64_t InodeOf(const std::string& path) { return fs_->Lstat(path)->inode; }

  void Link(const std::string& target, const std::string& path) {
    if (GetParam() == Kind::kFake) {
      ASSERT_OK(static_cast<FakeFileSystem&>(*fs_).AddSymlink(target, path));
    } else {
      ASSERT_EQ(symlink(target.c_str(), path.c_str()), 0);
    }
  }
  void Put(const std::string& path, const std::string& bytes) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_->Open(path, OpenMode::kCreate, 0600));
    ASSERT_OK(file->Write(bytes));
  }

  std::unique_ptr<FileSystem> fs_;
  std::string root_;
  SeededRandom random_{1};
  std::optional<ReplacedFile> file_;
  int number_ = 0;
};

INSTANTIATE_TEST_SUITE_P(All, ReplacedFileStrangersTest, ::testing::Values(Kind::kPosix, Kind::kFake),
                         [](const auto& kind) { return kind.param == Kind::kPosix ? "Posix" : "Fake"; });

TEST_P(ReplacedFileStrangersTest, TwoFilesTakeTurnsWhileNobodyReads) {
  const std::string spare = Spare();
  const uint64_t first = InodeOf(At("file"));
  const uint64_t second = InodeOf(spare);
  for (int i = 0; i < 6; ++i) {
    Replace();
    EXPECT_EQ(InodeOf(At("file")), i % 2 == 0 ? second : first);
    EXPECT_EQ(InodeOf(spare), i % 2 == 0 ? first : second);
  }
}

TEST_P(ReplacedFileStrangersTest, WhoHasTheFileOpenKeepsItsBytes) {
  std::vector<std::unique_ptr<File>> readers;
  const int first = number_;
  for (int i = 0; i < 5; ++i) {
    readers.push_back(*fs_->Open(At("file"), OpenMode::kRead));
    Replace();
  }
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(*readers[i]->Read(2 * kBytes) == State(first + i)) << i;
  readers.clear();
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, WhoHasReadHalfOfItReadsTheOtherHalfOfTheSame) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> reader, fs_->Open(At("file"), OpenMode::kRead));
  const std::string state = State(number_);
  EXPECT_TRUE(*reader->Read(kBytes / 2) == state.substr(0, kBytes / 2));
  ReplaceAFewTimes();
  EXPECT_TRUE(*reader->Read(2 * kBytes) == state.substr(kBytes / 2));
}

TEST_P(ReplacedFileStrangersTest, ASpareThatAStrangerWroteToIsMadeRight) {
  const std::string spare = Spare();
  const uint64_t inode = InodeOf(spare);
  Put(spare, "something else");
  Replace();
  EXPECT_EQ(InodeOf(At("file")), inode) << "it was used: its bytes were compared";
  ReplaceAFewTimes();
  {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> cut, fs_->Open(Spare(), OpenMode::kReadWrite));
    ASSERT_OK(cut->Resize(5));
  }
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, ASpareThatIsGoneIsMissedByNobody) {
  ASSERT_OK(fs_->Unlink(Spare()));
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, ALinkInTheSparesPlaceIsNotFollowed) {
  const std::string spare = Spare();
  Put(At("precious"), "precious");
  ASSERT_OK(fs_->Unlink(spare));
  Link(At("precious"), spare);
  ReplaceAFewTimes();
  EXPECT_THAT(ReadFile(*fs_, At("precious"), 100), IsOkAndHolds("precious"));
}

TEST_P(ReplacedFileStrangersTest, ALinkToTheSpareItselfIsNotTakenForIt) {
  const std::string spare = Spare();
  ASSERT_OK(fs_->Rename(spare, At("moved")));
  Link(At("moved"), spare);
  Replace();
  EXPECT_EQ(fs_->Lstat(At("file"))->kind, FileKind::kRegular);
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, AnotherFileInTheSparesPlaceDoesNotGetTheName) {
  const std::string spare = Spare();
  Put(At("other"), "other");
  const uint64_t other = InodeOf(At("other"));
  ASSERT_OK(fs_->Rename(At("other"), spare));
  Replace();
  EXPECT_NE(InodeOf(At("file")), other);
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, AFolderInTheSparesPlaceIsLeftAlone) {
  const std::string spare = Spare();
  ASSERT_OK(fs_->Unlink(spare));
  ASSERT_OK(fs_->MakeFolders(spare, 0755));
  for (int i = 0; i < 4; ++i) Replace();
  EXPECT_EQ(fs_->Stat(spare)->kind, FileKind::kFolder);
}

TEST_P(ReplacedFileStrangersTest, AFileWithOtherPermissionsIsNotUsedAgain) {
  ASSERT_OK(fs_->Chmod(At("file"), 0644));
  Replace();
  EXPECT_EQ(fs_->Stat(At("file"))->mode, 0600u);
  ReplaceAFewTimes();
  ASSERT_OK(fs_->Chmod(Spare(), 0644));
  Replace();
  EXPECT_EQ(fs_->Stat(At("file"))->mode, 0600u);
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, AFileThatIsGoneIsWrittenAnew) {
  ASSERT_OK(fs_->Unlink(At("file")));
  ReplaceAFewTimes();
}

TEST_P(ReplacedFileStrangersTest, AFileThatAStrangerPutThereDoesNotBecomeASpare) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> stranger, fs_->Open(At("other"), OpenMode::kCreate));
  ASSERT_OK(stranger->Write("restored"));
  ASSERT_OK(fs_->Rename(At("other"), At("file")));
  ReplaceAFewTimes();
  EXPECT_THAT(stranger->Read(100), IsOkAndHolds(""));
  EXPECT_EQ(stranger->Stat()->size, 8u);
}

TEST_P(ReplacedFileStrangersTest, ALinkInTheFilesPlaceIsReplacedAndNotFollowed) {
  ASSERT_OK(fs_->Rename(At("file"), At("elsewhere")));
  Link(At("elsewhere"), At("file"));
  const std::string state = State(number_);
  ReplaceAFewTimes();
  EXPECT_EQ(fs_->Lstat(At("file"))->kind, FileKind::kRegular);
  EXPECT_TRUE(*ReadFile(*fs_, At("elsewhere"), 2 * kBytes) == state);
}

TEST_P(ReplacedFileStrangersTest, AFolderInTheFilesPlaceIsAnErrorAndStays) {
  ASSERT_OK(fs_->Unlink(At("file")));
  ASSERT_OK(fs_->MakeFolders(At("file"), 0755));
  EXPECT_FALSE(file_->Replace(State(1)).ok());
  EXPECT_FALSE(file_->Replace(State(2)).ok());
  EXPECT_THAT(fs_->List(root_), IsOkAndHolds(ElementsAre("file")));
}

// As a backup with hard links would make.
TEST_P(ReplacedFileStrangersTest, AFileWithASecondNameIsNotWrittenOver) {
  if (GetParam() == Kind::kFake) return;  // has no second names
  const std::string state = State(number_);
  ASSERT_EQ(link(At("file").c_str(), At("backup").c_str()), 0);
  ReplaceAFewTimes();
  EXPECT_TRUE(*ReadFile(*fs_, At("backup"), 2 * kBytes) == state);
  const std::string spare_state = *ReadFile(*fs_, Spare(), 2 * kBytes);
  ASSERT_EQ(link(Spare().c_str(), At("backup2").c_str()), 0);
  ReplaceAFewTimes();
  EXPECT_TRUE(*ReadFile(*fs_, At("backup2"), 2 * kBytes) == spare_state);
}

}  // namespace
}  // namespace kubelet_cm
