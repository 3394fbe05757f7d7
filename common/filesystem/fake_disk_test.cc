// What the contract test (file_system_contract_test.cc) does not see: links, sockets, and how changes are logged.
#include "common/filesystem/fake_disk.h"

#include <cerrno>
#include <memory>
#include <utility>

#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(FakeDiskTest, LinksAreFollowedOnTheWayAndAtTheEnd) {
  FakeDisk disk;
  ASSERT_OK(disk.MakeFolders("/real/in", 0755));
  ASSERT_OK(disk.AddSymlink("real", "/near"));
  ASSERT_OK(disk.AddSymlink("/near/in", "/far"));
  ASSERT_OK(disk.Open("/far/file", OpenMode::kCreate, 0600).status());
  EXPECT_THAT(disk.List("/real/in"), IsOkAndHolds(ElementsAre("file")));
  EXPECT_EQ(disk.Lstat("/far")->kind, FileKind::kSymlink);
  EXPECT_EQ(disk.Stat("/far")->kind, FileKind::kFolder);
}

TEST(FakeDiskTest, LinksInARingAreAnError) {
  FakeDisk disk;
  ASSERT_OK(disk.AddSymlink("/b", "/a"));
  ASSERT_OK(disk.AddSymlink("/a", "/b"));
  EXPECT_EQ(ErrnoOf(disk.Stat("/a").status()), ELOOP);
}

TEST(FakeDiskTest, ALinkIsRenamedAndRemovedItself) {
  FakeDisk disk;
  ASSERT_OK(disk.Open("/file", OpenMode::kCreate, 0600).status());
  ASSERT_OK(disk.AddSymlink("file", "/link"));
  ASSERT_OK(disk.Rename("/link", "/other"));
  ASSERT_OK(disk.Unlink("/other"));
  EXPECT_THAT(disk.List("/"), IsOkAndHolds(ElementsAre("file")));
}

TEST(FakeDiskTest, ExclusiveCreationDoesNotFollowALink) {
  FakeDisk disk;
  ASSERT_OK(disk.AddSymlink("elsewhere", "/link"));
  EXPECT_EQ(ErrnoOf(disk.Open("/link", OpenMode::kCreateExclusive, 0600).status()), EEXIST);
  ASSERT_OK(disk.Open("/link", OpenMode::kCreate, 0600).status());
  EXPECT_OK(disk.Stat("/elsewhere").status());
}

TEST(FakeDiskTest, DotsInAPathAreUnderstood) {
  FakeDisk disk;
  ASSERT_OK(disk.MakeFolders("/a/b", 0755));
  EXPECT_EQ(disk.Stat("/a/./b/../b/")->inode, disk.Stat("/a/b")->inode);
  EXPECT_EQ(disk.Stat("/../..")->inode, disk.root().number);
}

TEST(FakeDiskTest, ASocketIsThereAndCannotBeOpened) {
  FakeDisk disk;
  ASSERT_OK(disk.AddSocket("/socket"));
  EXPECT_EQ(disk.Stat("/socket")->kind, FileKind::kSocket);
  EXPECT_EQ(ErrnoOf(disk.Open("/socket", OpenMode::kRead, 0).status()), ENXIO);
  EXPECT_EQ(ErrnoOf(disk.AddSocket("/socket")), EEXIST);
}

TEST(FakeDiskTest, TheRootCannotBeMovedOrReplaced) {
  FakeDisk disk;
  ASSERT_OK(disk.MakeFolders("/a", 0755));
  EXPECT_EQ(ErrnoOf(disk.Rename("/", "/a/b")), EBUSY);
  EXPECT_EQ(ErrnoOf(disk.Rename("/a", "/")), EBUSY);
  EXPECT_EQ(ErrnoOf(disk.EraseTree("/")), EBUSY);
}

TEST(FakeDiskTest, EachOperationIsOneRecordUntilItsFolderIsSynced) {
  FakeDisk disk;
  ASSERT_OK(disk.Open("/a", OpenMode::kCreate, 0600).status());
  ASSERT_OK(disk.Rename("/a", "/b"));
  EXPECT_THAT(disk.pending(), ElementsAre(SizeIs(1), SizeIs(2)));
  ASSERT_OK(disk.SyncFolder("/"));
  EXPECT_THAT(disk.pending(), IsEmpty());
}

TEST(FakeDiskTest, TheRevisionGrowsWithWhatChangesAndWithNothingElse) {
  FakeDisk disk;
  uint64_t last = disk.revision();
  const auto grew = [&] { return std::exchange(last, disk.revision()) != disk.revision(); };
  const std::shared_ptr<FakeInode> file = *disk.Open("/a", OpenMode::kCreate, 0600);
  EXPECT_TRUE(grew());
  disk.Write(*file, 0, "x");
  EXPECT_TRUE(grew());
  disk.Sync(*file);
  EXPECT_TRUE(grew());
  ASSERT_OK(disk.SyncFolder("/"));
  EXPECT_TRUE(grew());
  ASSERT_OK(disk.Chmod("/a", 0644));
  EXPECT_TRUE(grew());

  disk.Sync(*file);
  ASSERT_OK(disk.SyncFolder("/"));
  ASSERT_OK(disk.Chmod("/a", 0644));
  ASSERT_OK(disk.MakeFolders("/", 0755));
  ASSERT_OK(disk.Open("/a", OpenMode::kCreate, 0600).status());
  ASSERT_OK(disk.Stat("/a").status());
  EXPECT_FALSE(grew());
}

TEST(FakeDiskTest, EraseTreeTakesEverythingAndIsDurable) {
  FakeDisk disk;
  ASSERT_OK(disk.MakeFolders("/run/deep/er", 0755));
  ASSERT_OK(disk.EraseTree("/run"));
  EXPECT_THAT(disk.List("/"), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(disk.root().durable_entries, IsEmpty());
  EXPECT_EQ(ErrnoOf(disk.EraseTree("/run")), ENOENT);
}

TEST(FakeDiskTest, TimeMovesWithEachChange) {
  FakeDisk disk;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<FakeInode> file, disk.Open("/a", OpenMode::kCreate, 0600));
  const absl::Time created = disk.Stat("/a")->modified;
  disk.Write(*file, 0, "x");
  EXPECT_GT(disk.Stat("/a")->modified, created);
}

}  // namespace
}  // namespace kubelet_cm
