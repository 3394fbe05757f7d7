#include "common/filesystem/faulty_file_system.h"

#include <atomic>
#include <cerrno>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/mock_file_system.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::NiceMock;

std::vector<std::string> TraceOf(const FaultPlan& plan) {
  std::vector<std::string> trace;
  for (const FileOperation& operation : plan.trace()) trace.push_back(operation.ToString());
  return trace;
}

class FaultyFileSystemTest : public ::testing::Test {
 protected:
  FaultyFileSystemTest() { *disk_.Open("/a", OpenMode::kCreate); }

  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem fs_{disk_, plan_};
};

// Every operation there is, once. Each returns its Status.
std::vector<std::function<absl::Status()>> EveryOperation(FileSystem& fs, File& file) {
  return {
      [&] { return fs.Open("/a", OpenMode::kRead).status(); },
      [&] { return file.Read(1).status(); },
      [&] { return file.Write("x"); },
      [&] { return file.WriteAt(0, "y"); },
      [&] { return file.Resize(2); },
      [&] { return file.Stat().status(); },
      [&] { return file.Sync(); },
      [&] { return file.Lock(); },
      [&] { return fs.List("/").status(); },
      [&] { return fs.Stat("/a").status(); },
      [&] { return fs.Lstat("/a").status(); },
      [&] { return fs.MakeFolders("/f", 0755); },
      [&] { return fs.SyncFolder("/"); },
      [&] { return fs.Chmod("/a", 0640); },
      [&] { return fs.Rename("/a", "/b"); },
      [&] { return fs.Exchange("/b", "/f"); },
      [&] { return fs.Link("/f", "/c"); },
      [&] { return fs.Unlink("/f"); },
      [&] { return file.TakeAlone(); },
      [&] { return file.Close(); },
  };
}

TEST_F(FaultyFileSystemTest, WithoutFaultsEverythingPassesAndIsRecorded) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  for (const auto& operation : EveryOperation(fs_, *file)) EXPECT_OK(operation());
  EXPECT_THAT(TraceOf(plan_), ElementsAre("open /a", "open /a", "read /a", "write /a", "write at /a", "truncate /a",
                                          "stat /a", "fsync /a", "flock /a", "list /", "stat /a", "lstat /a",
                                          "mkdir /f", "fsync folder /", "chmod /a", "rename /a /b", "exchange /b /f",
                                          "link /f /c", "unlink /f", "lease /a", "close /a"));
  EXPECT_THAT(disk_.List("/"), IsOkAndHolds(ElementsAre("b", "c")));
}

TEST_F(FaultyFileSystemTest, AFaultMakesAnyOperationFail) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  plan_.Arm({.persistent = true, .error = ENOSPC});
  const std::string before = disk_.Describe();
  for (const auto& operation : EveryOperation(fs_, *file)) EXPECT_EQ(ErrnoOf(operation()), ENOSPC);
  EXPECT_EQ(disk_.Describe(), before);
}

TEST_F(FaultyFileSystemTest, AfterAStopNoOperationHasAnEffect) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  plan_.Stop();
  const std::string before = disk_.Describe();
  for (const auto& operation : EveryOperation(fs_, *file)) {
    EXPECT_THAT(operation(), StatusIs(absl::StatusCode::kAborted));
  }
  EXPECT_EQ(disk_.Describe(), before);
}

TEST_F(FaultyFileSystemTest, AShortWriteLeavesAPrefixAndAnError) {
  plan_.Arm({.ops = {FileOp::kWrite}, .error = ENOSPC, .bytes_written = 3});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  EXPECT_EQ(ErrnoOf(file->Write("abcdef")), ENOSPC);
  EXPECT_THAT(ReadFile(disk_, "/a", 100), IsOkAndHolds("abc"));
}

TEST_F(FaultyFileSystemTest, AShortWriteInTheMiddleLeavesItsBeginning) {
  plan_.Arm({.ops = {FileOp::kWriteAt}, .error = EIO, .bytes_written = 2});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  ASSERT_OK(file->Write("abcdef"));
  EXPECT_EQ(ErrnoOf(file->WriteAt(1, "XYZ")), EIO);
  EXPECT_THAT(ReadFile(disk_, "/a", 100), IsOkAndHolds("aXYdef"));
}

TEST_F(FaultyFileSystemTest, AnErrorAfterTheEffectHidesThatItHappened) {
  plan_.Arm({.ops = {FileOp::kUnlink}, .effect = FaultEffect::kFailAfterEffect});
  EXPECT_EQ(ErrnoOf(fs_.Unlink("/a")), EIO);
  EXPECT_THAT(disk_.List("/"), IsOkAndHolds(IsEmpty()));
}

TEST_F(FaultyFileSystemTest, ASkippedSyncClaimsSuccess) {
  disk_.Settle();
  plan_.Arm({.ops = {FileOp::kSyncFile}, .effect = FaultEffect::kSkip});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  ASSERT_OK(file->Write("x"));
  EXPECT_OK(file->Sync());
  disk_.CutPower({}, [](size_t) { return 0; });
  EXPECT_THAT(ReadFile(disk_, "/a", 100), IsOkAndHolds(""));
}

TEST_F(FaultyFileSystemTest, StopAfterLetsTheOperationHappen) {
  plan_.Arm({.effect = FaultEffect::kStopAfter});
  EXPECT_THAT(fs_.Rename("/a", "/b"), StatusIs(absl::StatusCode::kAborted));
  EXPECT_THAT(disk_.List("/"), IsOkAndHolds(ElementsAre("b")));
}

TEST_F(FaultyFileSystemTest, AFileClosesThoughItsCloseFails) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> file, fs_.Open("/a", OpenMode::kReadWrite));
  ASSERT_OK(file->Lock());
  plan_.Arm({.ops = {FileOp::kClose}});
  EXPECT_EQ(ErrnoOf(file->Close()), EIO);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<File> other, fs_.Open("/a", OpenMode::kReadWrite));
  EXPECT_OK(other->Lock());
}

TEST(FaultyFileSystemThreadsTest, StopWaitsForTheOperationThatIsUnderWay) {
  FakeClock clock;
  RealThreads threads(clock);
  Notification under_way(threads, "fsync began");
  Notification goes_on(threads, "fsync may end");
  NiceMock<MockFileSystem> inner;
  ON_CALL(inner, SyncFolder).WillByDefault([&](const std::string&) {
    under_way.Notify();
    goes_on.Wait();
    return absl::OkStatus();
  });
  FaultPlan plan;
  FaultyFileSystem fs(inner, plan);
  std::atomic<bool> returned = false;
  std::unique_ptr<Thread> syncing = threads.Start("syncing", [&] { EXPECT_OK(fs.SyncFolder("/")); });
  under_way.Wait();
  std::unique_ptr<Thread> stopping = threads.Start("stopping", [&] {
    plan.Stop();
    returned = true;
  });
  while (!plan.stopped()) threads.Yield();
  EXPECT_FALSE(returned);
  goes_on.Notify();
  stopping.reset();
  EXPECT_TRUE(returned);
}

}  // namespace
}  // namespace kubelet_cm
