#include "tools/cmctl/node/daemon_connection.h"

#include "gmock/gmock.h"
#include "tools/cmctl/node/node_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

class DaemonConnectionTest : public NodeFixture {
 protected:
  int Run(const ConnectionFlags& flags) {
    return WithDaemon(flags, environment_, [](ControlClient&) { return kOk; });
  }
};

TEST_F(DaemonConnectionTest, FlagsWinOverTheEnvironmentAndThatOverTheDefault) {
  environment_.user = {.endpoint = "/e/x.sock", .home = "/home", .working_folder = "/w"};
  EXPECT_THAT(ControlSocket({.endpoint = "/f.sock", .root_dir = "/r"}, environment_), IsOkAndHolds("/f.sock"));
  EXPECT_THAT(ControlSocket({.endpoint = "unix:///f.sock"}, environment_), IsOkAndHolds("/f.sock"));
  EXPECT_THAT(ControlSocket({.endpoint = "f.sock"}, environment_), IsOkAndHolds("/w/f.sock"));
  EXPECT_THAT(ControlSocket({.root_dir = "r"}, environment_), IsOkAndHolds("/w/r/kubelet_cm.sock"));
  EXPECT_THAT(ControlSocket({}, environment_), IsOkAndHolds("/e/x.sock"));
  EXPECT_THAT(RootFolder({}, environment_), IsOkAndHolds("/e"));
  environment_.user.endpoint = "";
  EXPECT_THAT(ControlSocket({}, environment_), IsOkAndHolds("/home/.local/state/kubelet_cm/kubelet_cm.sock"));
  environment_.user.home = "";
  EXPECT_EQ(Run({}), kUsage);
}

TEST_F(DaemonConnectionTest, ADaemonThatIsNotThereIsOneClearLine) {
  EXPECT_EQ(Run({.root_dir = "/nowhere"}), kFailed);
  EXPECT_EQ(err(),
            "cmctl: no kubelet_cm answers at /nowhere/kubelet_cm.sock: start it with ./bazelw run //kubelet_cm, or say "
            "where it is with --endpoint\n");
}

TEST_F(DaemonConnectionTest, WhatIsWrongWithASocketIsSaid) {
  node_.daemon.error = absl::UnavailableError("connection refused");
  EXPECT_EQ(Run(connection_), kFailed);
  EXPECT_THAT(err(), testing::HasSubstr("no kubelet_cm answers at /r/kubelet_cm.sock any more: start it"));
  err_.str("");
  node_.daemon.error = absl::UnimplementedError("");
  EXPECT_EQ(Run(connection_), kFailed);
  EXPECT_EQ(
      err(),
      "cmctl: /r/kubelet_cm.sock is not the control socket of a kubelet_cm; cmctl plugin probe says what it is\n");
  err_.str("");
  node_.daemon.error = absl::PermissionDeniedError("only for root");
  EXPECT_EQ(Run(connection_), kFailed);
  EXPECT_EQ(err(), "cmctl: the daemon at /r/kubelet_cm.sock says: only for root\n");
  err_.str("");
  EXPECT_EQ(Run({.endpoint = Put("file", "")}), kFailed);
  EXPECT_EQ(err(), "cmctl: /f/file is no socket: --endpoint wants the daemon's\n");
}

TEST_F(DaemonConnectionTest, WhatAnErrorIsAboutIsSaidOnce) {
  EXPECT_EQ(Complain(environment_, "pod a", absl::NotFoundError("pod a is not there")), kNotFound);
  EXPECT_EQ(err(), "cmctl: pod a is not there\n");
}

TEST_F(DaemonConnectionTest, AnErrorCannotSteerTheTerminal) {
  EXPECT_EQ(Complain(environment_, "pod a", absl::NotFoundError("x\x1b[2Jy")), kNotFound);
  EXPECT_EQ(err(), "cmctl: pod a: \"x\\x1b[2Jy\"\n");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
