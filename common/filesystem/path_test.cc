#include "common/filesystem/path.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(PathTest, FolderOfDropsTheLastName) {
  EXPECT_EQ(FolderOf("/a/b/c"), "/a/b");
  EXPECT_EQ(FolderOf("/a//b//"), "/a");
  EXPECT_EQ(FolderOf("/a"), "/");
  EXPECT_EQ(FolderOf("/"), "/");
  EXPECT_EQ(FolderOf("a"), ".");
}

TEST(PathTest, NameOfIsTheLastName) {
  EXPECT_EQ(NameOf("/a/b/c"), "c");
  EXPECT_EQ(NameOf("/a/b/"), "b");
  EXPECT_EQ(NameOf("a"), "a");
  EXPECT_EQ(NameOf("/"), "");
}

TEST(PathTest, JoinPathPutsOneSlashBetween) {
  EXPECT_EQ(JoinPath("/a", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/a/", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/", "b"), "/b");
}

}  // namespace
}  // namespace kubelet_cm
