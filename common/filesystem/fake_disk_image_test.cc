#include "common/filesystem/fake_disk_image.h"

#include <memory>
#include <set>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSubsetOf;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Writes `bytes` to the file `path`, made when missing; durable is neither.
void Put(FakeDisk& disk, const std::string& path, const std::string& bytes) {
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<FakeInode> file, disk.Open(path, OpenMode::kCreate, 0600));
  disk.Write(*file, 0, bytes);
}

// "a=x b=y" for each image: the files in the root folder.
std::vector<std::string> Images(const FakeDisk& disk, PowerCutModel model, size_t block = 64) {
  const auto images = EnumerateDiskImages(disk, {.model = model, .block = block});
  EXPECT_OK(images);
  std::vector<std::string> texts;
  for (const FakeDisk& image : *images) {
    std::string text;
    for (const auto& [name, inode] : image.root().entries) {
      text += (text.empty() ? "" : " ") + name + "=" + inode->data.current();
    }
    texts.push_back(text);
  }
  return texts;
}

TEST(FakeDiskImageTest, ADurableDiskHasOneImage) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  disk.Settle();
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), UnorderedElementsAre("a=x"));
}

TEST(FakeDiskImageTest, ANewFileMayBeMissingTornOrThere) {
  FakeDisk disk;
  Put(disk, "/a", "xyz");
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset, 2),
              UnorderedElementsAre("", "a=", "a=xy", "a=xyz", std::string("a=\0\0\0", 5)));
}

TEST(FakeDiskImageTest, SyncOfTheFileAloneDoesNotKeepItsName) {
  FakeDisk disk;
  ASSERT_OK_AND_ASSIGN(const std::shared_ptr<FakeInode> file, disk.Open("/a", OpenMode::kCreate, 0600));
  disk.Write(*file, 0, "xyz");
  file->data.Sync();
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), UnorderedElementsAre("", "a=xyz"));
}

TEST(FakeDiskImageTest, SyncOfTheFolderAloneDoesNotKeepTheBytes) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  ASSERT_OK(disk.SyncFolder("/"));
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), UnorderedElementsAre("a=", "a=x", std::string("a=\0", 3)));
}

// The old file, the new one, or both names for the new one; never neither name.
TEST(FakeDiskImageTest, ARenamedFileIsTheOldOrTheNewOne) {
  FakeDisk disk;
  Put(disk, "/a", "old");
  Put(disk, "/t", "new");
  disk.Settle();
  ASSERT_OK(disk.Rename("/t", "/a"));
  EXPECT_THAT(Images(disk, PowerCutModel::kOrdered), UnorderedElementsAre("a=old t=new", "a=new"));
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset),
              UnorderedElementsAre("a=old t=new", "a=new t=new", "a=old", "a=new"));
}

TEST(FakeDiskImageTest, OrderedOperationsSurviveUpToAMoment) {
  FakeDisk disk;
  for (const std::string name : {"/a", "/b", "/c"}) ASSERT_OK(disk.Open(name, OpenMode::kCreate, 0600).status());
  EXPECT_THAT(Images(disk, PowerCutModel::kOrdered), UnorderedElementsAre("", "a=", "a= b=", "a= b= c="));
}

TEST(FakeDiskImageTest, AnySubsetOfOperationsMaySurvive) {
  FakeDisk disk;
  for (const std::string name : {"/a", "/b", "/c"}) ASSERT_OK(disk.Open(name, OpenMode::kCreate, 0600).status());
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), SizeIs(8));
}

TEST(FakeDiskImageTest, AnySubsetCoversTheOrderedOnes) {
  FakeDisk disk;
  Put(disk, "/a", "1");
  ASSERT_OK(disk.Rename("/a", "/b"));
  Put(disk, "/a", "2");
  ASSERT_OK(disk.Unlink("/b"));
  EXPECT_THAT(Images(disk, PowerCutModel::kOrdered), IsSubsetOf(Images(disk, PowerCutModel::kAnySubset)));
}

TEST(FakeDiskImageTest, AnUnlinkedFileMayComeBack) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  disk.Settle();
  ASSERT_OK(disk.Unlink("/a"));
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), UnorderedElementsAre("", "a=x"));
}

TEST(FakeDiskImageTest, AnExchangeHappensToBothNamesOrToNone) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  Put(disk, "/b", "y");
  disk.Settle();
  ASSERT_OK(disk.Exchange("/a", "/b"));
  EXPECT_THAT(Images(disk, PowerCutModel::kOrdered), UnorderedElementsAre("a=x b=y", "a=y b=x"));
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset),
              UnorderedElementsAre("a=x b=y", "a=y b=x", "a=x b=x", "a=y b=y"));
  ASSERT_OK(disk.SyncFolder("/"));
  EXPECT_THAT(Images(disk, PowerCutModel::kAnySubset), UnorderedElementsAre("a=y b=x"));
}

TEST(FakeDiskImageTest, WhatIsInALostFolderIsLostEvenIfTheFolderWasSynced) {
  FakeDisk disk;
  ASSERT_OK(disk.MakeFolders("/f", 0755));
  ASSERT_OK(disk.Open("/f/a", OpenMode::kCreate, 0600).status());
  ASSERT_OK(disk.SyncFolder("/f"));
  ASSERT_OK_AND_ASSIGN(const std::vector<FakeDisk> images, EnumerateDiskImages(disk, {}));
  ASSERT_THAT(images, SizeIs(2));
  EXPECT_THAT(DescribeDisk(images[0]), Not(HasSubstr("/f")));
  EXPECT_THAT(DescribeDisk(images[1]), HasSubstr("/f/a"));
}

TEST(FakeDiskImageTest, TheFirstImageHasOnlyWhatIsDurable) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  EXPECT_EQ(Images(disk, PowerCutModel::kAnySubset).front(), "");
  EXPECT_EQ(Images(disk, PowerCutModel::kOrdered).front(), "");
}

TEST(FakeDiskImageTest, TooManyImagesAreAnErrorAndNotASample) {
  FakeDisk disk;
  Put(disk, "/a", std::string(6400, 'x'));
  EXPECT_THAT(EnumerateDiskImages(disk, {.max_images = 100}), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_OK(EnumerateDiskImages(disk, {.max_images = 103}));
}

TEST(FakeDiskImageTest, AnImageIsDurableAndNumbersItsFilesOn) {
  FakeDisk disk;
  Put(disk, "/a", "x");
  FakeDisk image = DrawDiskImage(disk, {}, [](size_t count) { return count - 1; });
  ASSERT_OK(image.Open("/b", OpenMode::kCreate, 0600).status());
  EXPECT_NE(image.Stat("/a")->inode, image.Stat("/b")->inode);
  EXPECT_THAT(image.pending(), SizeIs(1));
}

}  // namespace
}  // namespace kubelet_cm
