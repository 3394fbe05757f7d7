#include "testing/harness/process_node.h"

#include <csignal>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"

namespace kubelet_cm::harness {
namespace {

using fakes::FakeDevicePlugin;
using fakes::PluginMethod;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kPod[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: web, uid: web-uid}
spec:
  containers:
  - name: main
    resources: {limits: {example.com/fake: 1}}
)";

TEST(ProcessNodeTest, APodKeepsItsDevicesOverAKillAndThePluginComesBackByItself) {
  ProcessNode node;
  ASSERT_TRUE(node.Start());
  FakeDevicePlugin plugin({node.machine.threads, node.machine.files}, {.folder = node.paths().device_plugins});
  ASSERT_OK(plugin.Start());
  plugin.Follow(node.paths().registration_socket, absl::Milliseconds(10));
  ASSERT_TRUE(node.control().AwaitAllocatable("example.com/fake", 2));
  ASSERT_OK_AND_ASSIGN(const auto admitted, node.control().Admit(kPod));
  ASSERT_TRUE(admitted.admitted()) << admitted.message();

  ASSERT_TRUE(node.Kill());
  ASSERT_TRUE(node.Start());
  ASSERT_TRUE(node.control().AwaitAllocatable("example.com/fake", 2));
  ASSERT_OK_AND_ASSIGN(const auto options, node.control().ContainerOptions("web-uid", "main"));
  EXPECT_EQ(options.envs().at("FAKE_DEVICES"), "dev-0");
  EXPECT_EQ(plugin.script().CallCount(PluginMethod::kAllocate), 1);
}

TEST(ProcessNodeTest, AStopIsInOrderAndTakesTheSocketsAway) {
  ProcessNode node;
  ASSERT_TRUE(node.Start());
  ASSERT_TRUE(node.Stop());
  EXPECT_THAT(node.machine.files.Lstat(node.paths().control_socket), StatusIs(absl::StatusCode::kNotFound));
}

TEST(ProcessNodeTest, AnOldKubeletIsStartedOnWhatANewOneLeft) {
  ProcessNode node;
  ASSERT_TRUE(node.Start());
  ASSERT_TRUE(node.Kill());
  ASSERT_TRUE(node.Start({"--emulate-kubelet=1.20.15"}));
  ::kubeletcm::v1::VersionResponse version;
  grpc::ClientContext context;
  ASSERT_TRUE(node.control().stub().Version(&context, {}, &version).ok());
  EXPECT_THAT(version.emulated_kubelet(), HasSubstr("1.20.14 and later"));
}

TEST(ProcessNodeTest, AStartThatFailsShowsWhatTheDaemonSaid) {
  ProcessNode node;
  const testing::AssertionResult started = node.Start({"--no-such-flag"});
  EXPECT_FALSE(started);
  EXPECT_THAT(started.message(), HasSubstr("--no-such-flag"));
  EXPECT_TRUE(node.AwaitExitCode(2));
  EXPECT_FALSE(node.AwaitExitCode(3));
}

TEST(ProcessNodeTest, AnotherBootIsSeenByTheNextStart) {
  ProcessNode node;
  ASSERT_TRUE(node.Start());
  ASSERT_OK(
      node.control().Admit("apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: a}\n"
                           "spec: {containers: [{name: main}]}\n"));
  const auto state = [&] { return node.control().Pods()->pods(0).state(); };
  ASSERT_TRUE(node.Kill());
  ASSERT_TRUE(node.Start());
  EXPECT_EQ(state(), ::kubeletcm::v1::POD_STATE_ADMITTED);
  ASSERT_TRUE(node.Kill());
  node.Boot();
  ASSERT_TRUE(node.Start());
  EXPECT_EQ(state(), ::kubeletcm::v1::POD_STATE_RESTORED);
}

TEST(ProcessNodeTest, TwoNodesRunSideBySide) {
  ProcessNode one;
  ProcessNode other;
  ASSERT_TRUE(one.Start());
  ASSERT_TRUE(other.Start());
  EXPECT_THAT(one.control().Pods()->pods(), SizeIs(0));
  EXPECT_THAT(other.control().Pods()->pods(), SizeIs(0));
}

}  // namespace
}  // namespace kubelet_cm::harness
