#include "common/folderwatch/fake_folder_watches.h"

#include <memory>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Kind = FolderEvent::Kind;

class FakeFolderWatchesTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFolderWatches watches_{threads_};
  std::unique_ptr<FolderWatch> watch_ = *watches_.New();
};

TEST_F(FakeFolderWatchesTest, OnlyEntriesOfWatchedFoldersAreHeardOf) {
  ASSERT_OK(watch_->Add("/a"));
  watches_.Push({Kind::kAppeared, "/a/x"});
  watches_.Push({Kind::kAppeared, "/a/below/x"});
  watches_.Push({Kind::kAppeared, "/b/x"});
  watches_.Push({Kind::kLost});
  EXPECT_THAT(watch_->WaitUntil(MonotonicTime::InfiniteFuture()),
              ElementsAre(FolderEvent{Kind::kAppeared, "/a/x"}, FolderEvent{Kind::kLost, ""}));
}

TEST_F(FakeFolderWatchesTest, AFolderThatVanishesIsNotWatchedAnyMore) {
  ASSERT_OK(watch_->Add("/a/below"));
  watches_.Push({Kind::kVanished, "/a/below"});
  watches_.Push({Kind::kAppeared, "/a/below/x"});
  EXPECT_THAT(watch_->WaitUntil(MonotonicTime::InfiniteFuture()),
              ElementsAre(FolderEvent{Kind::kVanished, "/a/below"}));
  EXPECT_THAT(watches_.Watched(), IsEmpty());
}

TEST_F(FakeFolderWatchesTest, AWaitEndsAtItsDeadline) {
  Notification over(threads_, "the wait to be over");
  const auto thread = threads_.Start("waits", [&] {
    EXPECT_THAT(watch_->WaitUntil(clock_.MonotonicNow() + absl::Seconds(60)), IsEmpty());
    over.Notify();
  });
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(60));
  over.Wait();
}

TEST_F(FakeFolderWatchesTest, StopEndsTheWaitAndAllLaterOnes) {
  ASSERT_OK(watch_->Add("/a"));
  watches_.Push({Kind::kAppeared, "/a/x"});
  watch_->Stop();
  EXPECT_THAT(watch_->WaitUntil(MonotonicTime::InfiniteFuture()), IsEmpty());
}

TEST_F(FakeFolderWatchesTest, AnAddFailsWhenItIsToldTo) {
  watches_.FailAdds(absl::ResourceExhaustedError("no more"));
  EXPECT_THAT(watch_->Add("/a"), StatusIs(absl::StatusCode::kResourceExhausted));
  watches_.FailAdds(absl::OkStatus());
  EXPECT_OK(watch_->Add("/a"));
  EXPECT_THAT(watches_.Watched(), ElementsAre("/a"));
}

}  // namespace
}  // namespace kubelet_cm
