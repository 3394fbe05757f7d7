#include "kubelet_cm/pluginwatcher/socket_tree.h"

#include <string>
#include <vector>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/status/status_matchers.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

class SocketTreeTest : public ::testing::Test {
 protected:
  SocketTreeTest() {
    EXPECT_OK(files_.MakeFolders("/r/sub/deep", 0750));
    for (const char* path : {"/r/a.sock", "/r/sub/b.sock", "/r/sub/deep/c.sock"}) EXPECT_OK(files_.AddSocket(path));
  }
  SocketTree Read(const SocketTreeOptions& options = {}) {
    return ReadSocketTree(files_, "/r", options, [&](const std::string& folder) { watched_.push_back(folder); });
  }

  FakeFileSystem files_;
  std::vector<std::string> watched_;
};

TEST_F(SocketTreeTest, SocketsAreFoundInAllFolders) {
  const SocketTree tree = Read();
  EXPECT_THAT(tree.sockets, ElementsAre(Key("/r/a.sock"), Key("/r/sub/b.sock"), Key("/r/sub/deep/c.sock")));
  EXPECT_TRUE(tree.complete);
}

TEST_F(SocketTreeTest, AFolderIsWatchedBeforeItIsListed) {
  const SocketTree tree = ReadSocketTree(files_, "/r", {}, [&](const std::string& folder) {
    if (folder == "/r/sub") {
      EXPECT_OK(files_.AddSocket("/r/sub/late.sock"));
    }
  });
  EXPECT_TRUE(tree.sockets.contains("/r/sub/late.sock"));
}

TEST_F(SocketTreeTest, HiddenEntriesAndFilesAreLeftOut) {
  ASSERT_OK(files_.MakeFolders("/r/.hidden", 0750));
  ASSERT_OK(files_.AddSocket("/r/.hidden/x.sock"));
  ASSERT_OK(files_.AddSocket("/r/.x.sock"));
  ASSERT_OK(files_.Open("/r/file", OpenMode::kCreate));
  EXPECT_THAT(Read().sockets, SizeIs(3));
  EXPECT_THAT(watched_, ElementsAre("/r", "/r/sub", "/r/sub/deep"));
}

TEST_F(SocketTreeTest, LinksAreFollowedToSocketsOnlyWhereThatIsAskedFor) {
  ASSERT_OK(files_.MakeFolders("/elsewhere", 0750));
  ASSERT_OK(files_.AddSocket("/elsewhere/x.sock"));
  ASSERT_OK(files_.AddSymlink("/elsewhere/x.sock", "/r/link.sock"));
  ASSERT_OK(files_.AddSymlink("/elsewhere", "/r/folder"));
  EXPECT_THAT(Read().sockets, SizeIs(3));
  EXPECT_THAT(Read().links, ElementsAre("/r/folder", "/r/link.sock"));
  const SocketTree followed = Read({.follow_links = true});
  EXPECT_TRUE(followed.sockets.contains("/r/link.sock"));
  EXPECT_THAT(followed.sockets, SizeIs(4));
  EXPECT_THAT(followed.links, IsEmpty());
}

TEST_F(SocketTreeTest, ASocketThatWasMadeAgainHasAnotherIdentity) {
  const SocketTree before = Read();
  ASSERT_OK(files_.AddSocket("/r/new.sock"));
  ASSERT_OK(files_.Rename("/r/new.sock", "/r/a.sock"));
  EXPECT_NE(Read().sockets.at("/r/a.sock"), before.sockets.at("/r/a.sock"));
  EXPECT_EQ(Read().sockets.at("/r/sub/b.sock"), before.sockets.at("/r/sub/b.sock"));
}

TEST_F(SocketTreeTest, AFolderThatIsNotThereIsEmpty) {
  const SocketTree tree = ReadSocketTree(files_, "/none", {}, [](const std::string&) {});
  EXPECT_THAT(tree.sockets, IsEmpty());
  EXPECT_THAT(tree.errors, IsEmpty());
  EXPECT_TRUE(tree.complete);
}

TEST_F(SocketTreeTest, WhatIsBeyondALimitIsLeftOutAndSaidSo) {
  const SocketTree few_entries = Read({.max_entries = 1});
  EXPECT_THAT(few_entries.sockets, SizeIs(1));
  EXPECT_FALSE(few_entries.complete);
  EXPECT_THAT(few_entries.errors,
              ElementsAre(StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("at most 1 entries"))));
  const SocketTree few_folders = Read({.max_folders = 2});
  EXPECT_THAT(few_folders.sockets, SizeIs(2));
  EXPECT_THAT(few_folders.errors,
              ElementsAre(StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("/r/sub/deep is left out"))));
}

TEST_F(SocketTreeTest, AFolderThatCannotBeReadLeavesTheRest) {
  FaultPlan plan;
  FaultyFileSystem faulty(files_, plan);
  plan.Arm({.ops = {FileOp::kList}, .path_pattern = "^/r/sub$", .error = EACCES});
  const SocketTree tree = ReadSocketTree(faulty, "/r", {}, [](const std::string&) {});
  EXPECT_THAT(tree.sockets, ElementsAre(Key("/r/a.sock")));
  EXPECT_FALSE(tree.complete);
  EXPECT_THAT(tree.errors, ElementsAre(StatusIs(absl::StatusCode::kPermissionDenied)));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
