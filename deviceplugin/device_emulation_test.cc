// What kubelets did about devices in their time, and no longer do: each of its versions. That `latest` does none of it
// is said beside it, or by the tests of the rooms.
#include <string>
#include <string_view>
#include <vector>

#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/device_manager.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginMethod;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Key;
using testing::Not;
using testing::Optional;
using testing::Pair;

constexpr char kResource[] = "example.com/device";
constexpr char kOther[] = "example.com/other";
constexpr char kNoneHealthy[] = "no healthy devices present; cannot allocate unhealthy devices example.com/device";
constexpr char kListed[] = "Processed device updates for resource";

class DeviceEmulationTest : public testing::Test {
 protected:
  void Run(std::string_view kubelet, int devices = 2, int numa_nodes = 0) {
    ASSERT_OK(node_.Start(kubelet, {}, {.numa_nodes = {0, 1}}));
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", devices, numa_nodes)}));
  }
  // The kubelet is killed, and the next one does not see its plugin.
  void Restart(std::string_view kubelet, NodeStart found = {}) {
    node_.Kill();
    ASSERT_OK(node_.Start(kubelet, std::move(found)));
  }
  std::string Refusal(const Pod& pod) { return std::string(node_.Admit(pod).message()); }
  // Of a pod that wants one more of a resource that another pod holds, and whose plugin has not come back in time.
  std::string RefusalOnceDeleted(std::string_view kubelet) {
    Run(kubelet, 1);
    EXPECT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
    Restart(kubelet);
    EXPECT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(kStoppedGrace + absl::Seconds(1));
    EXPECT_THAT(node_.manager().GetCapacity().deleted, ElementsAre(kResource));
    return Refusal(PodWith("two", {{kResource, 1}}));
  }
  std::string Health(const Pod& pod) {
    std::vector<AllocatedResourceStatus> statuses;
    node_.manager().UpdateStatus(pod, pod.containers[0], &statuses);
    return statuses.empty() ? "" : statuses[0].devices[0].health;
  }
  std::string StateFile() { return ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20).value_or(""); }
  // A second plugin of the resource, with one device "new-0".
  void RunSecond() { ASSERT_OK(node_.RunPlugin(kResource, "b.sock", {.devices = NumberedDevices("new-", 1)})); }

  DeviceNode node_;
};

class OfKubeletTest : public DeviceEmulationTest, public testing::WithParamInterface<const char*> {};
class SinceKubeletTest : public DeviceEmulationTest, public testing::WithParamInterface<const char*> {};

TEST_F(DeviceEmulationTest, In19AResourceGoesWithItsPluginAtOnce) {
  Run("1.9");
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Device plugin disconnected") == 1; }));
  EXPECT_THAT(node_.manager().GetCapacity().capacity, IsEmpty());
}

TEST_F(DeviceEmulationTest, In19WhatIsNotHealthyIsNoCapacity) {
  Run("1.9", 3);
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-1", "Unhealthy"));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
}

TEST_F(DeviceEmulationTest, Until118NoPluginIsAskedWhatItPrefers) {
  for (const char* kubelet : {"1.18", "1.19"}) {
    DeviceNode node;
    ASSERT_OK(node.Start(kubelet));
    fakes::ScriptedPlugin::Options options{.devices = NumberedDevices("dev-", 3)};
    options.options.set_get_preferred_allocation_available(true);
    ASSERT_OK(node.RunPlugin(kResource, "a.sock", std::move(options)));
    ASSERT_OK(node.Admit(PodWith("one", {{kResource, 1}})));
    EXPECT_EQ(node.plugin("a.sock").script().CallCount(PluginMethod::kGetPreferredAllocation),
              std::string_view(kubelet) == "1.18" ? 0 : 1)
        << kubelet;
  }
}

TEST_F(DeviceEmulationTest, Until120AskingForNoneFailsTheStartWithAPluginThatWantsToKnow) {
  for (const char* kubelet : {"1.20.15", "1.21"}) {
    DeviceNode node;
    ASSERT_OK(node.Start(kubelet));
    fakes::ScriptedPlugin::Options options;
    options.options.set_pre_start_required(true);
    ASSERT_OK(node.RunPlugin(kResource, "a.sock", std::move(options)));
    const Pod pod = PodWith("one", {{kResource, 0}});
    ASSERT_OK(node.Admit(pod));
    const auto started = node.manager().ContainerRunOptions(pod, pod.containers[0]);
    if (std::string_view(kubelet) == "1.21") {
      EXPECT_OK(started);
    } else {
      EXPECT_THAT(started.status().message(), HasSubstr("no devices found allocated in local cache for pod one"));
    }
  }
}

TEST_F(DeviceEmulationTest, Until122DevicesThatAreNotHealthyAreAllocatable) {
  Run("1.22.17");
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  EXPECT_THAT(node_.manager().AllocatableDevices()[kResource], ElementsAre(Key("dev-0"), Key("dev-1")));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_THAT(node_.manager().AllocatableDevices()[kResource], ElementsAre(Key("dev-0"), Key("dev-1")));
}

TEST_F(DeviceEmulationTest, Until123AContainerOfARemovedPodGotDevicesWhenItStarted) {
  for (const char* kubelet : {"1.22.17", "1.24"}) {
    DeviceNode node;
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.RunPlugin(kResource, "a.sock"));
    const Pod pod = PodWith("gone", {{kResource, 1}});
    ASSERT_OK(node.manager().ContainerRunOptions(pod, pod.containers[0]));
    EXPECT_EQ(node.Devices("gone", kResource).size(), std::string_view(kubelet) == "1.24" ? 0u : 1u) << kubelet;
  }
}

TEST_F(DeviceEmulationTest, Until124ASecondPluginDisconnectsTheFirst) {
  Run("1.24");
  RunSecond();
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Device plugin disconnected") == 1; }));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 1, 1));
  node_.KillPlugin("a.sock");
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("new-0"));
}

TEST_P(OfKubeletTest, From125To136AFirstPluginThatGoesTakesTheSecondAlong) {
  Run(GetParam());
  RunSecond();
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 1));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 0));
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}})).ok());
}
INSTANTIATE_TEST_SUITE_P(Kubelets, OfKubeletTest, testing::Values("1.25", "1.36"),
                         [](const auto& kubelet) { return kubelet.index == 0 ? "Kubelet125" : "Kubelet136"; });

TEST_P(SinceKubeletTest, Since137AFirstPluginThatGoesLeavesTheSecondAlone) {
  Run(GetParam());
  RunSecond();
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 1));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Device plugin disconnected") == 1; }));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("new-0"));
}
INSTANTIATE_TEST_SUITE_P(Kubelets, SinceKubeletTest, testing::Values("1.37", "latest"),
                         [](const auto& kubelet) { return kubelet.index == 0 ? "Kubelet137" : "Latest"; });

TEST_F(DeviceEmulationTest, From125To136APluginThatRegistersAgainAtItsSocketLosesNothing) {
  Run("1.36");
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Device plugin disconnected") == 1; }));
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
}

TEST_F(DeviceEmulationTest, Until136ASocketThatGoesEndsThePluginOfThatNameWhereverItServes) {
  Run("1.24");
  RunSecond();
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 1));
  node_.manager().plugins().Deregister(kResource, "a.sock");
  EXPECT_TRUE(node_.AwaitCapacity(kResource, 1, 0));
}

TEST_F(DeviceEmulationTest, Until127WhatAPodHoldsIsNotLookedAt) {
  Run("1.27", 1);
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  Restart("1.27");
  EXPECT_OK(node_.Admit(pod));  // its plugin is not back
  EXPECT_OK(node_.Admit(PodWith("none", {{kResource, 0}})));
  EXPECT_EQ(Refusal(PodWith("two", {{kResource, 1}})),
            "requested number of devices unavailable for example.com/device. Requested: 1, Available: 0");
  Restart("1.28");
  EXPECT_EQ(Refusal(pod), kNoneHealthy);
  EXPECT_EQ(Refusal(PodWith("none", {{kResource, 0}})), kNoneHealthy);
}

TEST_F(DeviceEmulationTest, Until127WhatAPluginThatIsGoneHadListedIsNotGivenAway) {
  Run("1.27");
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_EQ(Refusal(PodWith("one", {{kResource, 1}})),
            "requested number of devices unavailable for example.com/device. Requested: 1, Available: 0");
}

TEST_F(DeviceEmulationTest, Until127AResourceThatIsNotKnownAnyMoreWasToldOfInOtherWords) {
  EXPECT_EQ(RefusalOnceDeleted("1.27"), "can't allocate unregistered device example.com/device");
}

TEST_F(DeviceEmulationTest, Since128AResourceThatIsNotKnownAnyMoreIsToldOfInTheWordsOfToday) {
  EXPECT_EQ(RefusalOnceDeleted("1.28"), "cannot allocate unregistered device example.com/device");
}

TEST_F(DeviceEmulationTest, Since128AContainerThatRunsIsLeftAloneUntilAllPodsAreKnown) {
  Run("1.28", 1);
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.pods.SetSourcesReady(false);
  Restart("1.28", {.running = {{"one", "main"}}});
  EXPECT_OK(node_.Admit(pod));
  node_.pods.SetSourcesReady(true);
  EXPECT_EQ(Refusal(pod), kNoneHealthy);
  Restart("latest", {.running = {{"one", "main"}}});
  EXPECT_OK(node_.Admit(pod));
}

// k/k#138446
TEST_F(DeviceEmulationTest, Since128AnInitContainerOfAPodThatRunsIsRefusedWithoutItsPlugin) {
  Run("1.28", 1);
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.insert(pod.containers.begin(),
                        {.name = "init", .kind = ContainerKind::kInit, .limits = {{kResource, 1}}});
  ASSERT_OK(node_.Admit(pod));
  node_.pods.SetSourcesReady(false);
  Restart("1.28", {.running = {{"one", "main"}}});
  EXPECT_EQ(Refusal(pod), kNoneHealthy);
  Restart("latest", {.running = {{"one", "main"}}});
  EXPECT_OK(node_.Admit(pod));
}

TEST_F(DeviceEmulationTest, Until128AnAppContainerGetsTheDeviceThatASidecarUses) {
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.insert(pod.containers.begin(),
                        {.name = "sidecar", .kind = ContainerKind::kSidecar, .limits = {{kResource, 1}}});
  Run("1.28");
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(node_.Devices("one", kResource, "sidecar"), ElementsAre("dev-0"));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
  Restart("1.29");
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  pod.uid = "two";
  node_.Remove("one");
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(node_.Devices("two", kResource), Not(ElementsAre(node_.Devices("two", kResource, "sidecar")[0])));
}

TEST_F(DeviceEmulationTest, Until127ContainersHearOfNoCdiNames) {
  for (const char* kubelet : {"1.27", "1.28"}) {
    DeviceNode node;
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.RunPlugin(kResource, "a.sock", {.allocate = [](absl::Span<const std::string>) {
                               v1beta1::ContainerAllocateResponse response;
                               response.add_cdi_devices()->set_name("example.com/device=x");
                               return response;
                             }}));
    const Pod pod = PodWith("one", {{kResource, 1}});
    ASSERT_OK(node.Admit(pod));
    ASSERT_OK_AND_ASSIGN(const auto options, node.manager().ContainerRunOptions(pod, pod.containers[0]));
    EXPECT_EQ(options->cdi_devices.size(), std::string_view(kubelet) == "1.27" ? 0u : 1u) << kubelet;
  }
}

TEST_F(DeviceEmulationTest, Until135NodesWithoutDevicesHaveHintsToo) {
  Run("1.35", 2, 1);
  const Pod pod = PodWith("one", {{kResource, 1}});
  const TopologyHint first{.nodes = NumaMask::OfOne(0), .preferred = true};
  const TopologyHint both{.nodes = NumaMask::Of({0, 1}), .preferred = false};
  EXPECT_THAT(node_.manager().hints().ContainerHints(pod, pod.containers[0]),
              ElementsAre(Pair(kResource, Optional(ElementsAre(first, both)))));
  node_.Kill();
  ASSERT_OK(node_.Start("1.36", {}, {.numa_nodes = {0, 1}}));
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  EXPECT_THAT(node_.manager().hints().ContainerHints(pod, pod.containers[0]),
              ElementsAre(Pair(kResource, Optional(ElementsAre(first)))));
}

TEST_F(DeviceEmulationTest, From131To136PodsWithAnotherResourcesDeviceOfThatNameHearOfItsHealth) {
  for (const char* kubelet : {"1.30", "1.31", "1.37"}) {
    DeviceNode node;
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.RunPlugin(kResource, "a.sock"));
    ASSERT_OK(node.RunPlugin(kOther, "b.sock"));
    ASSERT_OK(node.Admit(PodWith("one", {{kResource, 1}})));
    ASSERT_OK(node.Admit(PodWith("two", {{kOther, 1}})));
    ASSERT_OK(node.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
    ASSERT_TRUE(node.log.AwaitLine(kListed, 3));
    std::vector<std::string> told = {"one"};
    if (std::string_view(kubelet) == "1.30") told = {};
    if (std::string_view(kubelet) == "1.31") told = {"one", "two"};
    EXPECT_EQ(node.pod_updates.Take(), told) << kubelet;
  }
}

TEST_F(DeviceEmulationTest, InKubeletsADeviceKeepsItsLastHealthWhenItsPluginIsGoneAndNobodyHears) {
  Run("1.37");
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("other-", 1));
  ASSERT_TRUE(node_.log.AwaitLine(kListed, 2));
  EXPECT_EQ(Health(pod), "Healthy");  // that it vanished is not known
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 1, 0));
  EXPECT_EQ(Health(pod), "Healthy");
  EXPECT_THAT(node_.pod_updates.Take(), IsEmpty());
}

TEST_F(DeviceEmulationTest, InKubeletsWhatADepartedPodHeldStaysInTheFileUntilTheNextWrite) {
  Run("1.37");
  ASSERT_OK(node_.Admit(PodWith("departed", {{kResource, 1}})));
  node_.Remove("departed");
  node_.manager().CollectLeftovers();
  ASSERT_OK(node_.manager().Flush());
  EXPECT_THAT(StateFile(), HasSubstr("departed"));
  EXPECT_THAT(node_.Devices("departed", kResource), IsEmpty());
  ASSERT_OK(node_.Admit(PodWith("next", {{kResource, 2}})));
  EXPECT_THAT(StateFile(), Not(HasSubstr("departed")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
