// Kills and power cuts; what any file system does is in file_system_contract_test.cc.
#include "common/filesystem/fake_file_system.h"

#include <cerrno>
#include <memory>
#include <string>

#include "common/clock/fake_clock.h"
#include "common/filesystem/file_functions.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::SizeIs;

std::unique_ptr<File> OpenOrDie(FakeFileSystem& fs, const std::string& path) {
  return *fs.Open(path, OpenMode::kCreate);
}

TEST(FakeFileSystemTest, AKillKeepsWhatWasWritten) {
  FakeFileSystem fs;
  const std::unique_ptr<File> file = OpenOrDie(fs, "/a");
  ASSERT_OK(file->Write("unsynced"));
  fs.KillProcess();
  EXPECT_THAT(ReadFile(fs, "/a", 100), IsOkAndHolds("unsynced"));
}

TEST(FakeFileSystemTest, AKillEndsOpenFiles) {
  FakeFileSystem fs;
  const std::unique_ptr<File> file = OpenOrDie(fs, "/a");
  fs.KillProcess();
  EXPECT_EQ(ErrnoOf(file->Write("too late")), EBADF);
  EXPECT_EQ(ErrnoOf(file->Close()), EBADF);
  EXPECT_THAT(ReadFile(fs, "/a", 100), IsOkAndHolds(""));
}

TEST(FakeFileSystemTest, AKillFreesLocksAndTheDeadCannotFreeThoseOfTheLiving) {
  FakeFileSystem fs;
  const std::unique_ptr<File> dead = OpenOrDie(fs, "/lock");
  ASSERT_OK(dead->Lock());
  fs.KillProcess();
  const std::unique_ptr<File> living = OpenOrDie(fs, "/lock");
  EXPECT_OK(living->Lock());
  dead->Close().IgnoreError();
  EXPECT_THAT(OpenOrDie(fs, "/lock")->Lock(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(FakeFileSystemTest, APowerCutHasAnImageForEachThingThatMayBeLeft) {
  FakeFileSystem fs;
  ASSERT_OK(OpenOrDie(fs, "/a")->Sync());
  ASSERT_OK_AND_ASSIGN(const auto images, fs.AfterPowerCut());
  ASSERT_THAT(images, SizeIs(2));
  EXPECT_THAT(ReadFile(*images[0], "/a", 100), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(ReadFile(*images[1], "/a", 100), IsOkAndHolds(""));
}

TEST(FakeFileSystemTest, ImagesAreFileSystemsOfTheirOwn) {
  FakeFileSystem fs;
  ASSERT_OK(OpenOrDie(fs, "/a")->Write("x"));
  fs.Settle();
  ASSERT_OK_AND_ASSIGN(const auto images, fs.AfterPowerCut());
  ASSERT_THAT(images, SizeIs(1));
  EXPECT_EQ(images[0]->Describe(), fs.Describe());
  ASSERT_OK(images[0]->Unlink("/a"));
  EXPECT_THAT(ReadFile(fs, "/a", 100), IsOkAndHolds("x"));
}

TEST(FakeFileSystemTest, CutPowerLeavesWhatIsChosenAndEndsOpenFiles) {
  FakeFileSystem fs;
  const std::unique_ptr<File> file = OpenOrDie(fs, "/a");
  fs.CutPower({}, [](size_t) { return 0; });
  EXPECT_THAT(fs.Stat("/a"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_EQ(ErrnoOf(file->Sync()), EBADF);
}

TEST(FakeFileSystemTest, SettledDataSurvivesEveryPowerCut) {
  FakeFileSystem fs;
  ASSERT_OK(OpenOrDie(fs, "/a")->Write("x"));
  fs.Settle();
  fs.CutPower({}, [](size_t) { return 0; });
  EXPECT_THAT(ReadFile(fs, "/a", 100), IsOkAndHolds("x"));
}

TEST(FakeFileSystemTest, AFileThatIsTakenIsOpenedByNobodyElseUntilItIsClosedOrTheProcessDies) {
  FakeFileSystem fs;
  std::unique_ptr<File> taken = OpenOrDie(fs, "/a");
  ASSERT_OK(taken->TakeAlone());
  EXPECT_THAT(fs.Open("/a", OpenMode::kRead), StatusIs(absl::StatusCode::kUnavailable));
  taken.reset();
  taken = OpenOrDie(fs, "/a");
  ASSERT_OK(taken->TakeAlone());
  fs.KillProcess();
  const std::unique_ptr<File> other = OpenOrDie(fs, "/a");
  taken.reset();
  EXPECT_OK(other->TakeAlone());
}

// Under --config=tsan this shows that open files and the file system guard what they share.
TEST(FakeFileSystemTest, ThreadsMayShareIt) {
  FakeFileSystem fs;
  ASSERT_OK(fs.MakeFolders("/f", 0755));
  const auto work = [&fs](const std::string& path) {
    for (int i = 0; i < 100; ++i) {
      const std::unique_ptr<File> file = OpenOrDie(fs, path);
      file->Write("x").IgnoreError();
      fs.Rename(path, "/f/shared").IgnoreError();
      fs.AfterPowerCut({.max_images = 4}).status().IgnoreError();
      fs.SyncFolder("/f").IgnoreError();
    }
  };
  FakeClock clock;
  RealThreads threads(clock);
  std::unique_ptr<Thread> other = threads.Start("other", [&] { work("/f/b"); });
  work("/f/a");
  fs.KillProcess();
  other.reset();
  EXPECT_THAT(fs.List("/f"), IsOkAndHolds(SizeIs(1)));
}

}  // namespace
}  // namespace kubelet_cm
