#include "deviceplugin/registration/socket_sweep.h"

#include <cerrno>
#include <string>
#include <vector>

#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kFolder[] = "/plugins";
constexpr char kCheckpoint[] = "kubelet_internal_checkpoint";

class SocketSweepTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(files_.MakeFolders(kFolder, 0750)); }

  absl::Status Sweep() {
    FaultyFileSystem faulty(files_, plan_);
    return SweepSockets(faulty, kFolder, kCheckpoint, log_);
  }
  std::vector<std::string> Left() { return *files_.List(kFolder); }

  FakeFileSystem files_;
  FaultPlan plan_;
  CapturingLogger log_;
};

TEST_F(SocketSweepTest, SocketsGoAndFilesAndFoldersStay) {
  ASSERT_OK(files_.AddSocket("/plugins/gpu.sock"));
  ASSERT_OK(files_.AddSocket("/plugins/kubelet.sock"));
  ASSERT_OK(files_.Open("/plugins/DEPRECATION", OpenMode::kCreate).status());
  ASSERT_OK(files_.Open("/plugins/kubelet_internal_checkpoint", OpenMode::kCreate).status());
  ASSERT_OK(files_.MakeFolders("/plugins/folder", 0750));
  ASSERT_OK(files_.AddSocket("/plugins/folder/inside.sock"));
  EXPECT_OK(Sweep());
  EXPECT_THAT(Left(), ElementsAre("DEPRECATION", "folder", kCheckpoint));
  EXPECT_OK(files_.Stat("/plugins/folder/inside.sock"));
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(SocketSweepTest, ALinkToASocketGoesAndTheSocketStays) {
  ASSERT_OK(files_.MakeFolders("/elsewhere", 0750));
  ASSERT_OK(files_.AddSocket("/elsewhere/a.sock"));
  ASSERT_OK(files_.AddSymlink("/elsewhere/a.sock", "/plugins/link.sock"));
  EXPECT_OK(Sweep());
  EXPECT_THAT(Left(), IsEmpty());
  EXPECT_OK(files_.Stat("/elsewhere/a.sock"));
}

TEST_F(SocketSweepTest, ALinkThatLeadsNowhereIsLoggedAndStays) {
  ASSERT_OK(files_.AddSymlink("/nowhere", "/plugins/link.sock"));
  ASSERT_OK(files_.AddSocket("/plugins/z.sock"));
  EXPECT_OK(Sweep());
  EXPECT_THAT(Left(), ElementsAre("link.sock"));
  EXPECT_THAT(log_.lines(), ElementsAre(AllOf(IsLogLine(Severity::kError, "Failed to stat file"),
                                              HasLogField("path", "/plugins/link.sock"), HasLogError(Not(IsEmpty())))));
}

TEST_F(SocketSweepTest, TheCheckpointsNameIsKeptWhateverItIs) {
  ASSERT_OK(files_.AddSocket("/plugins/kubelet_internal_checkpoint"));
  EXPECT_OK(Sweep());
  EXPECT_THAT(Left(), ElementsAre(kCheckpoint));
}

TEST_F(SocketSweepTest, OneThatCannotBeRemovedDoesNotSaveTheOthers) {
  for (const char* path : {"/plugins/a.sock", "/plugins/b.sock", "/plugins/c.sock"}) ASSERT_OK(files_.AddSocket(path));
  plan_.Arm({.ops = {FileOp::kUnlink}, .path_pattern = "b.sock", .error = EACCES});
  const absl::Status status = Sweep();
  EXPECT_THAT(status, StatusIs(absl::StatusCode::kPermissionDenied, HasSubstr("b.sock")));
  EXPECT_EQ(ErrnoOf(status), EACCES);
  EXPECT_THAT(Left(), ElementsAre("b.sock"));
}

TEST_F(SocketSweepTest, SeveralErrorsAreToldAsGoAggregatesThem) {
  for (const char* path : {"/plugins/a.sock", "/plugins/b.sock"}) ASSERT_OK(files_.AddSocket(path));
  plan_.Arm({.ops = {FileOp::kUnlink}, .persistent = true, .error = EACCES});
  const absl::Status status = Sweep();
  EXPECT_THAT(std::string(status.message()),
              AllOf(StartsWith("["), HasSubstr("a.sock"), HasSubstr(", "), HasSubstr("b.sock"), EndsWith("]")));
  EXPECT_EQ(ErrnoOf(status), EACCES);
}

TEST_F(SocketSweepTest, OneThatVanishesMeanwhileIsNoError) {
  ASSERT_OK(files_.AddSocket("/plugins/a.sock"));
  plan_.Arm({.ops = {FileOp::kUnlink}, .effect = FaultEffect::kFailAfterEffect, .error = ENOENT});
  EXPECT_OK(Sweep());
}

TEST_F(SocketSweepTest, AFolderThatCannotBeReadIsAnError) {
  EXPECT_THAT(SweepSockets(files_, "/missing", kCheckpoint, log_), StatusIs(absl::StatusCode::kNotFound));
}

TEST(SocketSweepOnDiskTest, RealSocketsGo) {
  const ShortTempDir folder;
  PosixFileSystem files;
  CapturingLogger log;
  const SilentSocket socket(folder.File("gpu.sock"));
  ASSERT_OK(files.Open(folder.File("DEPRECATION"), OpenMode::kCreate).status());
  EXPECT_OK(SweepSockets(files, folder.path(), kCheckpoint, log));
  EXPECT_THAT(files.List(folder.path()), IsOkAndHolds(ElementsAre("DEPRECATION")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
