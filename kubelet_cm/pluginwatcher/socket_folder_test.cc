#include "kubelet_cm/pluginwatcher/socket_folder.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/folderwatch/fake_folder_watches.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/mutex.h"
#include "common/threads/real_threads.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = FolderEvent::Kind;

class SocketFolderTest : public ::testing::Test, private SocketFolderListener {
 protected:
  SocketFolderTest() { EXPECT_OK(files_.MakeFolders("/r", 0750)); }
  ~SocketFolderTest() override {
    if (folder_ != nullptr) folder_->Stop();
    thread_.reset();
  }

  void Start(const SocketTreeOptions& tree = {}) {
    auto folder =
        SocketFolder::New({.files = files_, .watches = watches_, .clock = clock_, .log = log_, .listener = *this},
                          {.folder = "/r", .tree = tree});
    ASSERT_OK(folder);
    folder_ = *std::move(folder);
    thread_ = threads_.Start("folder", [this] { folder_->Run(); });
  }
  void Hear(const FolderEvent& event) {
    watches_.Push(event);
    ASSERT_OK(watches_.AwaitIdle());
  }
  std::vector<std::string> Told() {
    MutexLock lock(&mu_);
    return told_;
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  FakeFolderWatches watches_{threads_};
  CapturingLogger log_;

 private:
  void OnFound(const FoundSockets& sockets) override { Tell("found", sockets); }
  void OnFoundAll(const FoundSockets& sockets) override { Tell("found all", sockets); }
  void OnVanished(const std::string& path) override { Tell(absl::StrCat("vanished ", path), {}); }
  void Tell(std::string what, const FoundSockets& sockets) {
    for (const auto& [path, socket] : sockets) absl::StrAppend(&what, " ", path);
    MutexLock lock(&mu_);
    told_.push_back(std::move(what));
  }

  Mutex mu_;
  std::vector<std::string> told_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<SocketFolder> folder_;
  std::unique_ptr<Thread> thread_;
};

TEST_F(SocketFolderTest, WhatIsThereIsToldBeforeNewReturns) {
  ASSERT_OK(files_.AddSocket("/r/a"));
  Start();
  EXPECT_THAT(Told(), ElementsAre("found all /r/a"));
  EXPECT_THAT(watches_.Watched(), ElementsAre("/r"));
}

TEST_F(SocketFolderTest, SocketsAreToldAsTheyComeAndGo) {
  Start();
  ASSERT_OK(files_.AddSocket("/r/a"));
  Hear({Kind::kAppeared, "/r/a"});
  Hear({Kind::kVanished, "/r/a"});
  Hear({Kind::kWritten, "/r/a"});
  EXPECT_THAT(Told(), ElementsAre("found all", "found /r/a", "vanished /r/a"));
}

TEST_F(SocketFolderTest, WhatIsGoneAgainIsNotTold) {
  Start();
  Hear({Kind::kAppeared, "/r/a"});
  EXPECT_THAT(Told(), ElementsAre("found all"));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(SocketFolderTest, AFolderThatMovesAwayIsNotWatchedAnyMore) {
  ASSERT_OK(files_.MakeFolders("/r/sub/deep", 0750));
  Start();
  EXPECT_THAT(watches_.Watched(), ElementsAre("/r", "/r/sub", "/r/sub/deep"));
  Hear({Kind::kVanished, "/r/sub"});
  EXPECT_THAT(watches_.Watched(), ElementsAre("/r"));
}

TEST_F(SocketFolderTest, OnlySoManyFoldersAreWatched) {
  ASSERT_OK(files_.MakeFolders("/r/a", 0750));
  Start({.max_folders = 2});
  ASSERT_OK(files_.MakeFolders("/r/b", 0750));
  Hear({Kind::kAppeared, "/r/b"});
  EXPECT_THAT(watches_.Watched(), ElementsAre("/r", "/r/a"));
}

TEST_F(SocketFolderTest, ALinkIsReportedOnce) {
  ASSERT_OK(files_.AddSymlink("/elsewhere", "/r/link"));
  Start();
  Hear({Kind::kAppeared, "/r/link"});
  EXPECT_THAT(log_.lines(),
              ElementsAre(IsLogLine(Severity::kWarning, "A symbolic link in the plugin folder is not followed")));
}

TEST_F(SocketFolderTest, AnEntryThatIsNotLookedAtDoesNotMakeOthersVanish) {
  ASSERT_OK(files_.AddSocket("/r/a"));
  ASSERT_OK(files_.AddSocket("/r/b"));
  Start({.max_entries = 1});
  EXPECT_THAT(Told(), ElementsAre("found /r/a"));
  EXPECT_THAT(log_.lines(), Contains(IsLogLine(Severity::kError, "Failed to traverse plugin socket path")));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
