#include "kubelet_cm/manifestfolder/manifest_folder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/folderwatch/fake_folder_watches.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// Keeps what it is told: "name", "-name" for what is gone, "." behind each call.
class Heard : public ManifestFolderListener {
 public:
  explicit Heard(Threads& threads) : told_(threads.NewCondition("files told")) {}

  void OnFiles(ManifestChanges changes) override {
    MutexLock lock(&mu_);
    for (const ManifestFile& file : changes.changed) words_.push_back(file.name);
    for (const std::string& name : changes.gone) words_.push_back("-" + name);
    words_.emplace_back(".");
    told_->NotifyAll();
  }

  void OnLooked(const absl::Status& outcome) override {
    MutexLock lock(&mu_);
    outcomes_.push_back(outcome);
    told_->NotifyAll();
  }

  // What came of the looks once there have been as many.
  std::vector<absl::Status> AwaitLooks(size_t looks) {
    MutexLock lock(&mu_);
    while (outcomes_.size() < looks) told_->Wait(&mu_);
    return outcomes_;
  }
  // What has been heard once there have been `calls` calls.
  std::vector<std::string> Await(int calls) {
    MutexLock lock(&mu_);
    while (std::count(words_.begin(), words_.end(), ".") < calls) told_->Wait(&mu_);
    return words_;
  }
  std::vector<std::string> words() {
    MutexLock lock(&mu_);
    return words_;
  }

 private:
  Mutex mu_;
  const std::unique_ptr<Condition> told_;
  std::vector<std::string> words_ ABSL_GUARDED_BY(mu_);
  std::vector<absl::Status> outcomes_ ABSL_GUARDED_BY(mu_);
};

class ManifestFolderTest : public testing::Test {
 protected:
  using Kind = FolderEvent::Kind;

  ManifestFolderTest() { EXPECT_OK(files_.MakeFolders("/pods", 0755)); }

  void Put(const std::string& name, const std::string& text = "x") {
    ASSERT_OK_AND_ASSIGN(const auto file, files_.Open("/new", OpenMode::kCreate));
    ASSERT_OK(file->Write(text));
    ASSERT_OK(files_.Rename("/new", "/pods/" + name));
  }

  void Start() {
    ASSERT_OK_AND_ASSIGN(folder_, ManifestFolder::New({threads_, files_, watches_, log_}, {.folder = "/pods"}, heard_));
  }

  // All that was pushed has been dealt with, and writing has paused for long enough.
  void Settle() {
    ASSERT_OK(watches_.AwaitIdle());
    clock_.Advance(absl::Milliseconds(50));
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem files_;
  FakeFolderWatches watches_{threads_};
  CapturingLogger log_;
  Heard heard_{threads_};
  std::unique_ptr<ManifestFolder> folder_;
};

TEST_F(ManifestFolderTest, TellsAtFirstWhatIsThere) {
  Put("b");
  Put("a");
  Start();
  EXPECT_THAT(heard_.Await(1), ElementsAre("a", "b", "."));
}

TEST_F(ManifestFolderTest, TellsAtFirstThatNothingIsThere) {
  ASSERT_OK(files_.EraseTree("/pods"));
  watches_.FailAdds(absl::NotFoundError("watch /pods: no such folder"));
  Start();
  EXPECT_THAT(heard_.Await(1), ElementsAre("."));
}

TEST_F(ManifestFolderTest, SaysAfterEachLookWhatCameOfIt) {
  ASSERT_OK(files_.EraseTree("/pods"));
  ASSERT_OK(files_.Open("/pods", OpenMode::kCreate));
  Start();
  EXPECT_THAT(heard_.AwaitLooks(1), ElementsAre(Not(IsOk())));
  EXPECT_THAT(heard_.words(), IsEmpty());
  ASSERT_OK(files_.Unlink("/pods"));
  ASSERT_OK(files_.MakeFolders("/pods", 0755));
  ASSERT_OK(watches_.AwaitIdle());
  clock_.Advance(absl::Seconds(20));
  EXPECT_THAT(heard_.AwaitLooks(2), ElementsAre(Not(IsOk()), IsOk()));
  EXPECT_THAT(heard_.words(), ElementsAre("."));
}

TEST_F(ManifestFolderTest, TellsWhatChangesOnceWritingHasPaused) {
  Put("a");
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  Put("a", "half");
  watches_.Push({Kind::kAppeared, "/pods/a"});
  ASSERT_OK(watches_.AwaitIdle());
  Put("a", "whole");
  watches_.Push({Kind::kWritten, "/pods/a"});
  Put("b");
  watches_.Push({Kind::kAppeared, "/pods/b"});
  Settle();
  EXPECT_THAT(heard_.Await(2), ElementsAre("a", ".", "a", "b", "."));
}

TEST_F(ManifestFolderTest, TellsWhatIsGone) {
  Put("a");
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  ASSERT_OK(files_.Unlink("/pods/a"));
  watches_.Push({Kind::kVanished, "/pods/a"});
  Settle();
  EXPECT_THAT(heard_.Await(2), ElementsAre("a", ".", "-a", "."));
}

TEST_F(ManifestFolderTest, FindsByItselfWhatNoEventTold) {
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  Put("a");
  clock_.Advance(absl::Seconds(20));
  EXPECT_THAT(heard_.Await(2), ElementsAre(".", "a", "."));
}

TEST_F(ManifestFolderTest, LooksAtEverythingWhenEventsWereLost) {
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  Put("a");
  watches_.Push({Kind::kLost, ""});
  Settle();
  EXPECT_THAT(heard_.Await(2), ElementsAre(".", "a", "."));
}

TEST_F(ManifestFolderTest, WatchesAgainAFolderThatWasRemovedAndMade) {
  Put("a");
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  ASSERT_OK(files_.EraseTree("/pods"));
  watches_.FailAdds(absl::NotFoundError("watch /pods: no such folder"));
  watches_.Push({Kind::kVanished, "/pods"});
  Settle();
  EXPECT_THAT(heard_.Await(2), ElementsAre("a", ".", "-a", "."));
  EXPECT_THAT(watches_.Watched(), IsEmpty());
  EXPECT_THAT(log_.lines(),
              Contains(IsLogLine(Severity::kError, "Could not follow the folder of manifests, will retry")));
  ASSERT_OK(watches_.AwaitIdle());
  ASSERT_OK(files_.MakeFolders("/pods", 0755));
  watches_.FailAdds(absl::OkStatus());
  Put("b");
  clock_.Advance(absl::Seconds(20));
  EXPECT_THAT(heard_.Await(3), ElementsAre("a", ".", "-a", ".", "b", "."));
  EXPECT_THAT(watches_.Watched(), ElementsAre("/pods"));
}

TEST_F(ManifestFolderTest, DoesNotWaitForEverForAPause) {
  Start();
  heard_.Await(1);
  ASSERT_OK(watches_.AwaitIdle());
  Put("a");
  for (int i = 0; i < 100 && heard_.words().size() == 1; ++i) {
    watches_.Push({Kind::kWritten, "/pods/a"});
    ASSERT_OK(watches_.AwaitIdle());
  }
  EXPECT_THAT(heard_.Await(2), ElementsAre(".", "a", "."));
}

TEST_F(ManifestFolderTest, EndsWhileItWaits) {
  Start();
  heard_.Await(1);
  folder_.reset();
  EXPECT_THAT(heard_.words(), ElementsAre("."));
}

}  // namespace
}  // namespace kubelet_cm
