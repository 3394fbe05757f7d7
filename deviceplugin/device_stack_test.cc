// A manager and plugins that talk over real unix sockets, on the real file system. device_stack_test_restart is the
// same with a new stack after each admission.
#include "deviceplugin/device_stack.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status/grpc_status.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "deviceplugin/device_stack_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::FakeDevicePlugin;
using fakes::NumberedDevices;
using fakes::PluginMethod;
using harness::PodWith;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

constexpr char kResource[] = "example.com/fake";

class DeviceStackTest : public DeviceStackFixture {
 protected:
  std::unique_ptr<FakeDevicePlugin> Plugin(PluginApi api = PluginApi::kV1Beta1, const std::string& name = "fake.sock",
                                           int devices = 2) {
    return NewPlugin({.socket_name = name, .api = api, .plugin = {.devices = NumberedDevices("dev-", devices)}});
  }
  absl::Status Admit(const Pod& pod) {
    pods_.Add(pod.uid);
    return stack_->manager().AllocatePod(pod);
  }
  // The plugin registers with the new stack, if it does not follow by itself.
  void MaybeRestart(FakeDevicePlugin& plugin, std::string_view kubelet = "latest") {
    if (!twin_.RestartsHere()) return;
    stack_.reset();
    ASSERT_OK(Start(kubelet));
    ASSERT_OK(plugin.Restart());
    ASSERT_OK(plugin.Register(KubeletSocket()));
    ASSERT_TRUE(AwaitCapacity(2, 2));
  }
  testing::AssertionResult AwaitCapacity(int64_t capacity, int64_t allocatable) {
    if (log_.Await([&] {
          const DeviceInventory::Capacity now = stack_->manager().GetCapacity();
          const auto shown = now.capacity.find(kResource);
          const auto healthy = now.allocatable.find(kResource);
          return shown != now.capacity.end() && shown->second == capacity && healthy != now.allocatable.end() &&
                 healthy->second == allocatable;
        })) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << "no capacity " << capacity << " with " << allocatable << " allocatable";
  }

  harness::RestartTwin twin_;
};

class EveryApiTest : public DeviceStackTest, public testing::WithParamInterface<PluginApi> {};

TEST_P(EveryApiTest, APluginOfAnyProtocolServesAPod) {  // DP-01
  ASSERT_OK(Start());
  const auto plugin = Plugin(GetParam());
  ASSERT_OK(plugin->Start());
  ASSERT_OK(plugin->Register(KubeletSocket()));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(Admit(pod));
  MaybeRestart(*plugin);
  EXPECT_THAT(stack_->manager().ContainerDevices("one", "main")[kResource], ElementsAre(Key("dev-0")));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options,
                       stack_->manager().ContainerRunOptions(pod, pod.containers[0]));
  EXPECT_THAT(options->envs, ElementsAre(testing::Pair("FAKE_DEVICES", "dev-0")));
}

INSTANTIATE_TEST_SUITE_P(Apis, EveryApiTest, testing::Values(PluginApi::kV1Beta1, PluginApi::kV1Alpha2, PluginApi::k01),
                         [](const auto& api) { return "Api" + std::to_string(api.index); });

TEST_F(DeviceStackTest, AnEmulatedKubeletRefusesOtherProtocolsWithItsText) {
  ASSERT_OK(Start("1.9"));
  const auto plugin = Plugin(PluginApi::k01);
  ASSERT_OK(plugin->Start());
  EXPECT_THAT(plugin->Register(KubeletSocket()).message(),
              R"(requested API version "0.1" is not supported by kubelet. Supported version is "v1alpha2")");
}

TEST_F(DeviceStackTest, AfterARestartAPluginThatFollowsIsBackAndThePodKeepsItsDevice) {  // DP-04
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  plugin->Follow(KubeletSocket(), absl::Milliseconds(5));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(Admit(pod));
  stack_.reset();
  ASSERT_OK(Start());
  EXPECT_THAT(stack_->manager().ContainerDevices("one", "main")[kResource], ElementsAre(Key("dev-0")));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  ASSERT_OK(Admit(pod));
  EXPECT_EQ(plugin->script().CallCount(PluginMethod::kAllocate), 1);
  ASSERT_OK(Admit(PodWith("two", {{kResource, 1}})));
  EXPECT_THAT(stack_->manager().ContainerDevices("two", "main")[kResource], ElementsAre(Key("dev-1")));
}

TEST_F(DeviceStackTest, APluginThatIsKilledLeavesCapacityAndComesBackOnItsOwnSocket) {  // DP-06
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  ASSERT_OK(plugin->Register(KubeletSocket()));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  MaybeRestart(*plugin);
  plugin->Kill();
  ASSERT_TRUE(AwaitCapacity(2, 0));
  ASSERT_OK(plugin->Restart());
  ASSERT_OK(plugin->Register(KubeletSocket()));
  EXPECT_TRUE(AwaitCapacity(2, 2));
}

// Since 1.25 kubelets ask the plugin instead.
TEST_F(DeviceStackTest, TheOptionsInARequestAreNotLookedAt) {
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  v1beta1::RegisterRequest request;
  request.set_version("v1beta1");
  request.set_endpoint("fake.sock");
  request.set_resource_name(kResource);
  request.mutable_options()->set_pre_start_required(true);
  ASSERT_OK_AND_ASSIGN(const auto kubelet, DialUnixSocket(KubeletSocket(), {.timeout = absl::Seconds(30)}));
  grpc::ClientContext context;
  context.set_deadline(DeadlineIn(absl::Seconds(30)));
  v1beta1::Empty response;
  ASSERT_OK(FromGrpcStatus(v1beta1::Registration::NewStub(kubelet)->Register(&context, request, &response)));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(Admit(pod));
  ASSERT_OK(stack_->manager().ContainerRunOptions(pod, pod.containers[0]));
  EXPECT_EQ(plugin->script().CallCount(PluginMethod::kGetOptions), 1);
  EXPECT_EQ(plugin->script().CallCount(PluginMethod::kPreStartContainer), 0);
}

// 1.9 lost some of them.
TEST_F(DeviceStackTest, PluginsThatRegisterAtOnceAreAllConnected) {
  constexpr int kPlugins = 12;
  ASSERT_OK(Start());
  std::vector<std::unique_ptr<FakeDevicePlugin>> plugins;
  for (int i = 0; i < kPlugins; ++i) {
    plugins.push_back(NewPlugin({.resource_name = absl::StrCat(kResource, i),
                                 .socket_name = absl::StrCat(i, ".sock"),
                                 .plugin = {.devices = NumberedDevices("dev-", 1)}}));
    ASSERT_OK(plugins.back()->Start());
  }
  {
    std::vector<std::unique_ptr<Thread>> registering;
    for (const auto& plugin : plugins) {
      registering.push_back(machine_.threads.Start("register", [&] { EXPECT_OK(plugin->Register(KubeletSocket())); }));
    }
  }
  EXPECT_TRUE(log_.Await([&] { return stack_->manager().GetCapacity().allocatable.size() == kPlugins; }));
}

TEST_F(DeviceStackTest, ASocketThatIsNotThereIsRefusedSoon) {
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  EXPECT_THAT(plugin->Register(KubeletSocket()).message(), HasSubstr("failed to dial device plugin: "));
}

TEST_F(DeviceStackTest, ThePluginWatchersWayLeadsToTheSameManager) {
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  ASSERT_OK(stack_->watcher_handler().RegisterPlugin(kResource, plugin->socket_path(), {"v1beta1"}));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  stack_->watcher_handler().DeregisterPlugin(kResource, plugin->socket_path());
  EXPECT_TRUE(AwaitCapacity(2, 0));
  // Upstream counts those that register by call.
  EXPECT_THAT(machine_.metrics.Text(), testing::Not(testing::HasSubstr("registration_total{")));
}

TEST_F(DeviceStackTest, OldSocketsAreSweptAndFilesStay) {
  {
    const auto plugin = Plugin(PluginApi::kV1Beta1, "old.sock");
    ASSERT_OK(plugin->Start());
    plugin->Kill();
  }
  ASSERT_TRUE(machine_.files.Lstat(machine_.folder.File("old.sock")).ok());
  ASSERT_OK_AND_ASSIGN(const auto file,
                       machine_.files.Open(machine_.folder.File("DEPRECATION"), OpenMode::kCreate, 0600));
  ASSERT_OK(Start());
  EXPECT_FALSE(machine_.files.Lstat(machine_.folder.File("old.sock")).ok());
  EXPECT_TRUE(machine_.files.Lstat(machine_.folder.File("DEPRECATION")).ok());
  EXPECT_EQ(stack_->manager().restore_outcome(), RecoveryOutcome::kFresh);  // none of them is a state
}

TEST_F(DeviceStackTest, AStartMakesNothingInTheFolderButItsSocket) {
  ASSERT_OK(Start());
  EXPECT_THAT(machine_.files.List(machine_.folder.path()), IsOkAndHolds(ElementsAre("kubelet.sock")));
}

// Sockets that go are what tells plugins to come: by then they must not meet a manager that does not know what pods
// hold.
TEST_F(DeviceStackTest, SocketsGoAndTheKubeletsComesWhenTheStateFileHasBeenRead) {
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  const auto is_there = [&](const std::string& name) { return machine_.files.Lstat(machine_.folder.File(name)).ok(); };
  bool was_asked = false;
  const auto find = [&]() -> absl::StatusOr<NodeStart> {
    was_asked = true;
    EXPECT_EQ(log_.Count("Starting device plugin registration server"), 0u);
    EXPECT_TRUE(is_there("fake.sock"));
    EXPECT_FALSE(is_there("kubelet.sock"));
    return NodeStart();
  };
  ASSERT_OK_AND_ASSIGN(stack_, DeviceStack::NewBeside(Dependencies(), {.folder = machine_.folder.path()}, find));
  EXPECT_TRUE(was_asked);
  EXPECT_FALSE(is_there("fake.sock"));
  EXPECT_TRUE(is_there("kubelet.sock"));
}

TEST_F(DeviceStackTest, AShutdownDisconnectsThePluginsTakesNoMoreAndMayBeRepeated) {
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  ASSERT_OK(plugin->Register(KubeletSocket()));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  ASSERT_OK(stack_->Shutdown());
  EXPECT_TRUE(AwaitCapacity(2, 0));
  EXPECT_EQ(log_.Count("ListAndWatch ended unexpectedly for device plugin"), 0u);
  EXPECT_FALSE(DialUnixSocket(KubeletSocket(), {.timeout = absl::Milliseconds(50)}).ok());
  EXPECT_OK(stack_->Shutdown());
}

TEST_F(DeviceStackTest, AShutdownLeavesNothingUnwritten) {
  ASSERT_OK(Start());
  const auto plugin = Plugin();
  ASSERT_OK(plugin->Start());
  ASSERT_OK(plugin->Register(KubeletSocket()));
  ASSERT_TRUE(AwaitCapacity(2, 2));
  ASSERT_OK(stack_->Shutdown());
  EXPECT_OK(stack_->Health());
  stack_.reset();
  ASSERT_OK(Start());
  EXPECT_THAT(stack_->manager().GetCapacity().capacity, ElementsAre(testing::Pair(kResource, 0)));
  EXPECT_EQ(stack_->manager().restore_outcome(), RecoveryOutcome::kRestored);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
