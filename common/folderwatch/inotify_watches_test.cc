#include "common/folderwatch/inotify_watches.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"

namespace kubelet_cm {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = FolderEvent::Kind;

class InotifyWatchesTest : public ::testing::Test {
 protected:
  MonotonicTime Soon() const { return clock_.MonotonicNow() + absl::Seconds(30); }
  MonotonicTime Now() const { return clock_.MonotonicNow(); }
  // All that there is until the first event of `path` and `kind`.
  std::vector<FolderEvent> ReadUntil(const FolderEvent& last) {
    std::vector<FolderEvent> all;
    while (all.empty() || all.back() != last) {
      std::vector<FolderEvent> next = watch_->WaitUntil(Soon());
      if (next.empty()) break;
      for (FolderEvent& event : next) all.push_back(std::move(event));
    }
    return all;
  }
  void MakeFile(const std::string& path) {
    ASSERT_OK_AND_ASSIGN(auto file, files_.Open(path, OpenMode::kCreate));
    ASSERT_OK(file->Write("text"));
    ASSERT_OK(file->Close());
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  InotifyWatches watches_{clock_};
  std::unique_ptr<FolderWatch> watch_ = *watches_.New();
};

TEST_F(InotifyWatchesTest, FilesThatAreWrittenRenamedAndRemovedAreHeardOfInOrder) {
  ASSERT_OK(watch_->Add(folder_.path()));
  MakeFile(folder_.File("a"));
  ASSERT_OK(files_.Rename(folder_.File("a"), folder_.File("b")));
  ASSERT_OK(files_.Unlink(folder_.File("b")));
  EXPECT_THAT(
      ReadUntil({Kind::kVanished, folder_.File("b")}),
      ElementsAre(FolderEvent{Kind::kAppeared, folder_.File("a")}, FolderEvent{Kind::kWritten, folder_.File("a")},
                  FolderEvent{Kind::kVanished, folder_.File("a")}, FolderEvent{Kind::kAppeared, folder_.File("b")},
                  FolderEvent{Kind::kVanished, folder_.File("b")}));
}

TEST_F(InotifyWatchesTest, ASocketIsHeardOfWhenItIsBound) {
  ASSERT_OK(watch_->Add(folder_.path()));
  const SilentSocket socket(folder_.File("s.sock"));
  EXPECT_THAT(watch_->WaitUntil(Soon()), Contains(FolderEvent{Kind::kAppeared, folder_.File("s.sock")}));
}

TEST_F(InotifyWatchesTest, FoldersBelowAreHeardOfOnlyWhenTheyAreAdded) {
  ASSERT_OK(watch_->Add(folder_.path()));
  ASSERT_OK(files_.MakeFolders(folder_.File("sub"), 0750));
  EXPECT_THAT(watch_->WaitUntil(Soon()), ElementsAre(FolderEvent{Kind::kAppeared, folder_.File("sub")}));
  MakeFile(folder_.File("sub/unheard"));
  ASSERT_OK(watch_->Add(folder_.File("sub")));
  MakeFile(folder_.File("sub/x"));
  EXPECT_THAT(watch_->WaitUntil(Soon()), Contains(FolderEvent{Kind::kAppeared, folder_.File("sub/x")}));
}

TEST_F(InotifyWatchesTest, AFolderThatMovesAwayIsGoneUnderItsName) {
  ASSERT_OK(files_.MakeFolders(folder_.File("sub"), 0750));
  ASSERT_OK(watch_->Add(folder_.File("sub")));
  ASSERT_OK(files_.Rename(folder_.File("sub"), folder_.File("other")));
  EXPECT_THAT(watch_->WaitUntil(Soon()), ElementsAre(FolderEvent{Kind::kVanished, folder_.File("sub")}));
  MakeFile(folder_.File("other/x"));
  EXPECT_THAT(watch_->WaitUntil(Now()), IsEmpty());
}

TEST_F(InotifyWatchesTest, ARemovedFolderIsSilent) {
  ASSERT_OK(watch_->Add(folder_.path()));
  ASSERT_OK(watch_->Add(folder_.path()));
  watch_->Remove(folder_.path());
  watch_->Remove("/never/added");
  MakeFile(folder_.File("x"));
  EXPECT_THAT(watch_->WaitUntil(Now()), IsEmpty());
}

TEST_F(InotifyWatchesTest, WhatCannotBeWatchedIsAClearError) {
  EXPECT_THAT(watch_->Add(folder_.File("none")), StatusIs(absl::StatusCode::kNotFound));
  MakeFile(folder_.File("file"));
  EXPECT_THAT(watch_->Add(folder_.File("file")),
              StatusIs(absl::StatusCode::kFailedPrecondition, "watch " + folder_.File("file") + ": it is no folder"));
}

TEST_F(InotifyWatchesTest, AQuietFolderIsWaitedForUntilTheDeadline) {
  ASSERT_OK(watch_->Add(folder_.path()));
  const MonotonicTime deadline = Now() + absl::Milliseconds(2);
  EXPECT_THAT(watch_->WaitUntil(deadline), IsEmpty());
  EXPECT_GE(Now(), deadline);
}

TEST_F(InotifyWatchesTest, StopEndsTheWaitAndAllLaterOnes) {
  ASSERT_OK(watch_->Add(folder_.path()));
  Notification over(threads_, "the wait to be over");
  const auto thread = threads_.Start("waits", [&] {
    EXPECT_THAT(watch_->WaitUntil(MonotonicTime::InfiniteFuture()), IsEmpty());
    over.Notify();
  });
  watch_->Stop();
  EXPECT_TRUE(over.WaitFor(absl::Seconds(30)));
  MakeFile(folder_.File("x"));
  EXPECT_THAT(watch_->WaitUntil(MonotonicTime::InfiniteFuture()), IsEmpty());
}

// fs.inotify.max_queued_events is 16,384 by default; as long as nobody reads, more than that are lost.
TEST_F(InotifyWatchesTest, AFullQueueIsToldAsLoss) {
  ASSERT_OK_AND_ASSIGN(auto file, files_.Open("/proc/sys/fs/inotify/max_queued_events", OpenMode::kRead));
  ASSERT_OK_AND_ASSIGN(const std::string limit, file->Read(32));
  ASSERT_OK(watch_->Add(folder_.path()));
  MakeFile(folder_.File("a"));
  for (int i = 0; i < std::stoi(limit); ++i) {
    ASSERT_OK(files_.Rename(folder_.File(i % 2 == 0 ? "a" : "b"), folder_.File(i % 2 == 0 ? "b" : "a")));
  }
  EXPECT_THAT(ReadUntil({Kind::kLost, ""}), Contains(FolderEvent{Kind::kLost, ""}));
}

}  // namespace
}  // namespace kubelet_cm
