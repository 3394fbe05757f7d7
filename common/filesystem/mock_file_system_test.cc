#include "common/filesystem/mock_file_system.h"

#include <cerrno>
#include <memory>
#include <string>
#include <utility>

#include "common/filesystem/atomic_write.h"
#include "common/filesystem/file_functions.h"
#include "common/random/seeded_random.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::InSequence;
using ::testing::NiceMock;
using ::testing::Return;

TEST(MockFileSystemTest, TheFakeBehindItDoesWhatIsNotReplaced) {
  NiceMock<MockFileSystem> fs;
  ASSERT_OK(fs.MakeFolders("/f", 0755));
  ASSERT_OK(fs.Open("/f/a", OpenMode::kCreate).status());
  ASSERT_OK(fs.Chmod("/f/a", 0640));
  EXPECT_EQ(fs.Stat("/f/a")->mode, 0640u);
  EXPECT_EQ(fs.Lstat("/f")->kind, FileKind::kFolder);
  ASSERT_OK(fs.Rename("/f/a", "/f/b"));
  ASSERT_OK(fs.Exchange("/f/b", "/f/b"));
  ASSERT_OK(fs.Link("/f/b", "/c"));
  ASSERT_OK(fs.SyncFolder("/f"));
  EXPECT_THAT(fs.List("/f"), IsOkAndHolds(ElementsAre("b")));
  ASSERT_OK(fs.Unlink("/f/b"));
  EXPECT_THAT(fs.fake().Stat("/f/b"), StatusIs(absl::StatusCode::kNotFound));
}

TEST(MockFileSystemTest, ACallCanBeReplaced) {
  NiceMock<MockFileSystem> fs;
  EXPECT_CALL(fs, SyncFolder("/")).WillOnce(Return(ErrnoStatus(EIO, "fsync /")));
  SeededRandom random(1);
  EXPECT_EQ(ErrnoOf(AtomicWrite(fs, random, "/a", "x", 0600)), EIO);
}

TEST(MockFileSystemTest, CallsCanBeExpectedInOrder) {
  NiceMock<MockFileSystem> fs;
  {
    const InSequence in_sequence;
    EXPECT_CALL(fs, Open(_, OpenMode::kCreateExclusive, 0600u));
    EXPECT_CALL(fs, Rename(_, "/a"));
    EXPECT_CALL(fs, SyncFolder("/"));
  }
  SeededRandom random(1);
  EXPECT_OK(AtomicWrite(fs, random, "/a", "x", 0600));
  EXPECT_THAT(ReadFile(fs.fake(), "/a", 100), IsOkAndHolds("x"));
}

TEST(MockFileTest, PassesOnWhatIsNotReplaced) {
  FakeFileSystem fake;
  NiceMock<MockFile> file(*fake.Open("/a", OpenMode::kCreate));
  EXPECT_CALL(file, Sync).WillOnce(Return(ErrnoStatus(EIO, "fsync /a")));
  EXPECT_OK(file.Write("x"));
  EXPECT_EQ(ErrnoOf(file.Sync()), EIO);
  EXPECT_OK(file.Lock());
  EXPECT_OK(file.WriteAt(1, "yz"));
  EXPECT_OK(file.Resize(2));
  EXPECT_EQ(file.Stat()->size, 2u);
  EXPECT_OK(file.TakeAlone());
  EXPECT_THAT(file.Read(1), IsOkAndHolds("y"));
  EXPECT_OK(file.Close());
  EXPECT_THAT(ReadFile(fake, "/a", 100), IsOkAndHolds("xy"));
}

}  // namespace
}  // namespace kubelet_cm
