#include "deviceplugin/device_hint_provider.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;
using testing::Pair;

constexpr char kResource[] = "example.com/device";

TopologyHint On(std::initializer_list<int> nodes, bool preferred) {
  return {.nodes = NumaMask::Of(nodes), .preferred = preferred};
}

class DeviceHintProviderTest : public testing::Test {
 protected:
  void RunPlugin(int devices, int numa_nodes) {
    ASSERT_OK(node_.Start("latest", {}, {.numa_nodes = {0, 1}}));
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", devices, numa_nodes)}));
  }
  ProviderHints Hints(const Pod& pod) { return node_.manager().hints().ContainerHints(pod, pod.containers[0]); }

  DeviceNode node_;
};

TEST_F(DeviceHintProviderTest, AResourceWithoutTopologyHasNoPreference) {
  RunPlugin(2, 0);
  EXPECT_THAT(Hints(PodWith("one", {{kResource, 1}, {"cpu", 2}})), ElementsAre(Pair(kResource, std::nullopt)));
}

TEST_F(DeviceHintProviderTest, FreeDevicesGiveHintsForTheirNodes) {
  RunPlugin(4, 2);
  EXPECT_THAT(Hints(PodWith("one", {{kResource, 2}})),
              ElementsAre(Pair(kResource, Optional(ElementsAre(On({0}, true), On({1}, true), On({0, 1}, false))))));
}

TEST_F(DeviceHintProviderTest, ADeviceThatIsTakenGivesNone) {
  RunPlugin(2, 2);
  ASSERT_OK(node_.Admit(PodWith("other", {{kResource, 1}})));
  EXPECT_THAT(Hints(PodWith("one", {{kResource, 1}})),
              ElementsAre(Pair(kResource, Optional(ElementsAre(On({1}, true), On({0, 1}, false))))));
}

TEST_F(DeviceHintProviderTest, TooFewDevicesAreImpossible) {
  RunPlugin(2, 2);
  EXPECT_THAT(Hints(PodWith("one", {{kResource, 3}})), ElementsAre(Pair(kResource, Optional(IsEmpty()))));
}

TEST_F(DeviceHintProviderTest, WhatADepartedPodHeldIsFree) {
  RunPlugin(2, 2);
  ASSERT_OK(node_.Admit(PodWith("other", {{kResource, 2}})));
  node_.Remove("other");
  EXPECT_THAT(Hints(PodWith("one", {{kResource, 2}})),
              ElementsAre(Pair(kResource, Optional(ElementsAre(On({0, 1}, true))))));
}

TEST_F(DeviceHintProviderTest, APodThatHasItsDevicesGetsHintsForJustThose) {
  RunPlugin(4, 2);
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(Hints(pod), ElementsAre(Pair(kResource, Optional(ElementsAre(On({0}, true), On({0, 1}, false))))));
}

// What allocation would not take over, hints do not count on.
TEST_F(DeviceHintProviderTest, ADeviceOfAnInitContainerThatIsIllNowDoesNotTieTheNextToItsNode) {
  RunPlugin(2, 2);
  Pod pod = PodWith("one", {});
  pod.containers.insert(pod.containers.begin(),
                        {.name = "init", .kind = ContainerKind::kInit, .limits = {{kResource, 1}}});
  ASSERT_OK(node_.Admit(pod));
  pod.containers[1].limits = {{kResource, 1}};
  const auto hints = [&] { return node_.manager().hints().ContainerHints(pod, pod.containers[1]); };
  EXPECT_THAT(hints(), ElementsAre(Pair(kResource, Optional(ElementsAre(On({0}, true), On({0, 1}, false))))));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  EXPECT_THAT(hints(), ElementsAre(Pair(kResource, Optional(ElementsAre(On({1}, true), On({0, 1}, false))))));
}

// D4. Upstream has the topology manager refuse it.
TEST_F(DeviceHintProviderTest, APodThatRunsWithDevicesThatAreNotListedAnyMoreIsNotRefusedForTheirPlace) {
  RunPlugin(2, 2);
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.plugin("a.sock").feed().Publish(NumberedDevices("new-", 2, 2));
  const auto restart = [&](const char* kubelet, NodeStart found) {
    node_.Kill();
    ASSERT_OK(node_.Start(kubelet, std::move(found), {.numa_nodes = {0, 1}}));
    ASSERT_OK(node_.Register(kResource, "a.sock"));
    ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  };
  const auto pod_hints = [&] { return node_.manager().hints().PodHints(pod); };
  const NodeStart running = {.running = {{"one", "main"}}};
  restart("latest", running);
  EXPECT_THAT(Hints(pod), ElementsAre(Pair(kResource, std::nullopt)));
  EXPECT_THAT(pod_hints(), ElementsAre(Pair(kResource, std::nullopt)));
  EXPECT_OK(node_.Admit(pod));
  restart("latest", {});
  EXPECT_THAT(Hints(pod), ElementsAre(Pair(kResource, Optional(IsEmpty()))));
  EXPECT_THAT(pod_hints(), ElementsAre(Pair(kResource, Optional(IsEmpty()))));
  restart("1.37", running);
  EXPECT_THAT(Hints(pod), ElementsAre(Pair(kResource, Optional(IsEmpty()))));
}

TEST_F(DeviceHintProviderTest, APodsHintsAreForAllItsContainers) {
  RunPlugin(4, 2);
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.push_back({.name = "second", .limits = {{kResource, 2}}});
  EXPECT_THAT(node_.manager().hints().PodHints(pod),
              ElementsAre(Pair(kResource, Optional(ElementsAre(On({0, 1}, true))))));
}

TEST_F(DeviceHintProviderTest, WhatAClaimBacksHasNoHints) {
  RunPlugin(2, 2);
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.extended_resource_claim = ExtendedResourceClaim{.object_name = "c", .mappings = {{"main", kResource, "r"}}};
  EXPECT_THAT(Hints(pod), IsEmpty());
  EXPECT_THAT(node_.manager().hints().PodHints(pod), IsEmpty());
}

TEST_F(DeviceHintProviderTest, AllocationFollowsTheAffinity) {
  RunPlugin(4, 2);
  const Pod pod = PodWith("one", {{kResource, 2}});
  node_.pods.Add("one");
  ASSERT_OK_AND_ASSIGN(const auto allocation, node_.manager().BeginAllocation(pod));
  ASSERT_OK(allocation->Allocate(pod.containers[0], NumaMask::Of({1})));
  ASSERT_OK(allocation->Commit());
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1", "dev-3"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
