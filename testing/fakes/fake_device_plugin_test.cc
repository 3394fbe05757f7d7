#include "testing/fakes/fake_device_plugin.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_kubelet_registration.h"

// How it looks to a client is in device_plugin_contract_test.cc.
namespace kubelet_cm::fakes {
namespace {

constexpr absl::Duration kInterval = absl::Milliseconds(5);

class FakeDevicePluginTest : public ::testing::Test {
 protected:
  void StartKubelet() {
    ASSERT_OK_AND_ASSIGN(kubelet_, FakeKubeletRegistration::New(threads_, files_, kubelet_socket_));
  }

  bool SocketIsThere() { return files_.Stat(plugin_.socket_path()).ok(); }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  ShortTempDir folder_;
  const std::string kubelet_socket_ = folder_.File("kubelet.sock");
  std::unique_ptr<FakeKubeletRegistration> kubelet_;
  FakeDevicePlugin plugin_{{threads_, files_}, {.folder = folder_.path(), .socket_name = "gpu.sock"}};
};

TEST_F(FakeDevicePluginTest, SocketIsThereFromStartToStop) {
  EXPECT_FALSE(SocketIsThere());
  ASSERT_OK(plugin_.Start());
  EXPECT_TRUE(SocketIsThere());
  plugin_.Stop();
  EXPECT_FALSE(SocketIsThere());
  EXPECT_FALSE(plugin_.serving());
}

TEST_F(FakeDevicePluginTest, KilledPluginLeavesItsSocketAndStartsOverIt) {
  ASSERT_OK(plugin_.Start());
  plugin_.Kill();
  EXPECT_TRUE(SocketIsThere());
  EXPECT_FALSE(plugin_.serving());
  EXPECT_OK(plugin_.Restart());
  EXPECT_TRUE(plugin_.serving());
}

TEST_F(FakeDevicePluginTest, PathThatCannotBeServedIsAnError) {
  ASSERT_OK(files_.Open(plugin_.socket_path(), OpenMode::kCreate));
  EXPECT_THAT(plugin_.Start(), StatusIs(absl::StatusCode::kFailedPrecondition));
  EXPECT_FALSE(plugin_.serving());
}

TEST_F(FakeDevicePluginTest, RegisterReturnsWhatTheKubeletAnswers) {
  StartKubelet();
  EXPECT_OK(plugin_.Register(kubelet_socket_));
  kubelet_->SetAnswer(absl::UnknownError("no"));
  EXPECT_THAT(plugin_.Register(kubelet_socket_), StatusIs(absl::StatusCode::kUnknown, "no"));
  EXPECT_EQ(plugin_.registrations(), 1);
}

TEST_F(FakeDevicePluginTest, FollowerRegistersAsSoonAsThereIsAKubelet) {
  ASSERT_OK(plugin_.Start());
  plugin_.Follow(kubelet_socket_, kInterval);
  StartKubelet();
  EXPECT_OK(kubelet_->WaitFor(1));
}

TEST_F(FakeDevicePluginTest, FollowerComesBackAfterAKubeletThatRemovedItsSocket) {
  ASSERT_OK(plugin_.Start());
  StartKubelet();
  plugin_.Follow(kubelet_socket_, kInterval);
  ASSERT_OK(kubelet_->WaitFor(1));
  kubelet_.reset();
  ASSERT_OK(files_.Unlink(plugin_.socket_path()));
  ASSERT_OK(files_.Unlink(kubelet_socket_));
  StartKubelet();
  EXPECT_OK(kubelet_->WaitFor(1));
  EXPECT_TRUE(SocketIsThere());
}

TEST_F(FakeDevicePluginTest, FollowerRegistersOnceWithAKubeletThatStays) {
  ASSERT_OK(plugin_.Start());
  StartKubelet();
  plugin_.Follow(kubelet_socket_, kInterval);
  ASSERT_OK(kubelet_->WaitFor(1));
  EXPECT_THAT(kubelet_->WaitFor(2, 10 * kInterval), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(FakeDevicePluginTest, FollowerTriesAgainWhenItIsRefused) {
  ASSERT_OK(plugin_.Start());
  StartKubelet();
  kubelet_->SetAnswer(absl::UnknownError("not yet"));
  plugin_.Follow(kubelet_socket_, kInterval);
  ASSERT_OK(kubelet_->WaitFor(2));
  EXPECT_EQ(plugin_.registrations(), 0);
}

TEST_F(FakeDevicePluginTest, KilledFollowerRegistersWhenItIsStartedAgain) {
  ASSERT_OK(plugin_.Start());
  StartKubelet();
  plugin_.Follow(kubelet_socket_, kInterval);
  ASSERT_OK(kubelet_->WaitFor(1));
  plugin_.Kill();
  EXPECT_THAT(kubelet_->WaitFor(2, 5 * kInterval), StatusIs(absl::StatusCode::kDeadlineExceeded));
  ASSERT_OK(plugin_.Restart());
  EXPECT_OK(kubelet_->WaitFor(2));
}

}  // namespace
}  // namespace kubelet_cm::fakes
