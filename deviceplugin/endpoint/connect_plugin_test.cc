#include "deviceplugin/endpoint/connect_plugin.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr absl::Duration kShort = absl::Milliseconds(50);

class ConnectPluginTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<PluginClient>> Connect(const ConnectOptions& options = {},
                                                        PluginApi api = PluginApi::kV1Beta1) {
    return ConnectPlugin({files_, log_}, plugin_.socket_path(), api, options);
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  CapturingLogger log_;
  ShortTempDir folder_;
  fakes::FakeDevicePlugin plugin_{{threads_, files_}, {.folder = folder_.path()}};
};

TEST_F(ConnectPluginTest, ClientSpeaksToThePlugin) {
  ASSERT_OK(plugin_.Start());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PluginClient> client, Connect());
  EXPECT_OK(client->GetOptions(absl::Seconds(20)));
}

TEST_F(ConnectPluginTest, PluginOfAnotherApiConnectsAndAnswersUnimplemented) {
  ASSERT_OK(plugin_.Start());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PluginClient> client, Connect({}, PluginApi::kV1Alpha2));
  EXPECT_THAT(client->Allocate({}, absl::Seconds(20)), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(ConnectPluginTest, SocketThatIsNotThereIsGivenUpSoon) {
  const MonotonicTime begin = clock_.MonotonicNow();
  EXPECT_THAT(Connect({.missing_socket_timeout = kShort}),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "failed to dial device plugin: context deadline exceeded: there is no socket at " +
                           plugin_.socket_path()));
  EXPECT_LT(clock_.MonotonicNow() - begin, absl::Seconds(5));  // and not the 10 of a socket that is there
}

TEST_F(ConnectPluginTest, SocketThatNobodyAnswersAtIsGivenItsTime) {
  const SilentSocket silent(plugin_.socket_path());
  EXPECT_THAT(
      Connect({.dial_timeout = kShort}),
      StatusIs(absl::StatusCode::kDeadlineExceeded,
               "failed to dial device plugin: context deadline exceeded: nobody answers at " + plugin_.socket_path()));
}

TEST_F(ConnectPluginTest, SocketThatIsMadeWhileItIsDialledIsFound) {
  const std::unique_ptr<Thread> starter = threads_.Start("starter", [this] { EXPECT_OK(plugin_.Start()); });
  EXPECT_OK(Connect({.dial_timeout = absl::Seconds(20), .missing_socket_timeout = absl::Seconds(20)}));
}

TEST_F(ConnectPluginTest, ALinkToAnotherSocketOfTheFolderIsFollowedAndOneThatLeadsOutIsRefused) {
  FakeFileSystem disk;
  for (const std::string folder : {"/plugins", "/elsewhere"}) {
    ASSERT_OK(disk.MakeFolders(folder, 0755));
    ASSERT_OK(disk.AddSocket(folder + "/a.sock"));
  }
  const auto connect = [&](const std::string& link) {
    return ConnectPlugin({disk, log_}, link, PluginApi::kV1Beta1, {.dial_timeout = kShort}).status();
  };
  ASSERT_OK(disk.AddSymlink("/plugins/a.sock", "/plugins/in.sock"));
  ASSERT_OK(disk.AddSymlink("/elsewhere/a.sock", "/plugins/out.sock"));
  EXPECT_THAT(connect("/plugins/in.sock"), StatusIs(absl::StatusCode::kDeadlineExceeded));  // it was dialled
  EXPECT_THAT(
      connect("/plugins/out.sock"),
      StatusIs(absl::StatusCode::kFailedPrecondition,
               "failed to dial device plugin: /plugins/out.sock is a symbolic link that leads out of /plugins"));
}

TEST_F(ConnectPluginTest, RegularFileIsRefusedAtOnce) {
  ASSERT_OK(files_.Open(plugin_.socket_path(), OpenMode::kCreate));
  EXPECT_THAT(Connect(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                  "failed to dial device plugin: " + plugin_.socket_path() + " is not a socket"));
}

TEST_F(ConnectPluginTest, PathThatIsNoSocketPathIsRefused) {
  EXPECT_THAT(ConnectPlugin({files_, log_}, "relative", PluginApi::kV1Beta1),
              StatusIs(absl::StatusCode::kInvalidArgument, StartsWith("failed to dial device plugin: ")));
}

TEST_F(ConnectPluginTest, ListBeyondTheLimitEndsTheStream) {
  ASSERT_OK(plugin_.Start());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PluginClient> client, Connect({.max_receive_bytes = 10000}));
  const std::unique_ptr<DeviceStream> stream = client->ListAndWatch();
  EXPECT_OK(stream->Read());
  plugin_.SetDevices(fakes::NumberedDevices("dev-", 1000));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("10000")));
}

TEST_F(ConnectPluginTest, ListAboveFourMebibytesIsTakenByDefault) {
  plugin_.SetDevices(fakes::NumberedDevices(std::string(80, 'x'), 60000));
  ASSERT_OK(plugin_.Start());
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<PluginClient> client, Connect());
  ASSERT_OK_AND_ASSIGN(const ListMessage list, client->ListAndWatch()->Read());
  EXPECT_EQ(list->devices_size(), 60000);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
