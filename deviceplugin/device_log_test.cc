// The lines that people search logs for: texts, levels and keys as kubelets have them.
#include <set>
#include <string>
#include <vector>

#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using harness::DeviceNode;
using harness::PodWith;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr char kResource[] = "example.com/device";

MATCHER_P2(IsInfo, level, message, "") {
  return arg.severity == Severity::kInfo && arg.verbosity == level && arg.message == message;
}

class DeviceLogTest : public testing::Test {
 protected:
  DeviceLogTest() { EXPECT_OK(node_.Start()); }
  // A plugin of three devices that wants to be asked and told of everything.
  void Run() {
    fakes::ScriptedPlugin::Options options{.devices = NumberedDevices("dev-", 3)};
    options.options.set_get_preferred_allocation_available(true);
    options.options.set_pre_start_required(true);
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", std::move(options)));
  }
  std::vector<CapturedLine> Lines() { return node_.log.lines(); }
  // The messages of all lines that have one of these, in their order.
  std::vector<std::string> MessagesOf(const std::set<std::string>& wanted) {
    std::vector<std::string> found;
    for (const CapturedLine& line : Lines()) {
      if (wanted.contains(std::string(line.message))) found.emplace_back(line.message);
    }
    return found;
  }

  DeviceNode node_;
  const Pod pod_ = PodWith("pod", {{kResource, 1}});
};

TEST_F(DeviceLogTest, AStart) {
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Creating Device Plugin manager"),
                                      HasLogField("path", "/var/lib/kubelet/device-plugins/kubelet.sock"))));
  EXPECT_THAT(Lines(), Contains(IsInfo(2, "Starting Device Plugin manager")));
}

TEST_F(DeviceLogTest, APluginThatComesAndGoes) {
  Run();
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.log.AwaitLine("Device plugin disconnected"));
  const auto client = AllOf(HasLogField("name", kResource), HasLogField("socketPath", "a.sock"));
  EXPECT_THAT(Lines(), Contains(IsInfo(2, "Connected to new client")));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Registered client"), client)));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Device plugin connected"), HasLogField("resourceName", kResource))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "State pushed for device plugin"), HasLogField("resource", kResource),
                                      HasLogField("resourceCapacity", "3"))));
  EXPECT_THAT(Lines(),
              Contains(AllOf(IsInfo(2, "Processed device updates for resource"), HasLogField("resourceName", kResource),
                             HasLogField("totalCount", "3"), HasLogField("healthyCount", "3"))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsLogLine(Severity::kError, "ListAndWatch ended unexpectedly for device plugin"),
                                      HasLogField("resource", kResource))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Deregistered client"), client)));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Device plugin disconnected"), HasLogField("resource", kResource))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Last device plugin for this resource disconnected"),
                                      HasLogField("resource", kResource))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Mark all resources Unhealthy for resource"),
                                      HasLogField("resourceName", kResource))));
}

TEST_F(DeviceLogTest, APluginThatComesAndGoesInTheOrderOfAKubelet) {
  Run();
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.log.AwaitLine("Device plugin disconnected"));
  EXPECT_THAT(MessagesOf({"Registered client", "Device plugin connected", "Connected to new client",
                          "State pushed for device plugin", "Processed device updates for resource",
                          "ListAndWatch ended unexpectedly for device plugin", "Deregistered client",
                          "Mark all resources Unhealthy for resource",
                          "Last device plugin for this resource disconnected", "Device plugin disconnected"}),
              ElementsAre("Registered client", "Device plugin connected", "Connected to new client",
                          "State pushed for device plugin", "Processed device updates for resource",
                          "ListAndWatch ended unexpectedly for device plugin", "Deregistered client",
                          "Mark all resources Unhealthy for resource",
                          "Last device plugin for this resource disconnected", "Device plugin disconnected"));
}

TEST_F(DeviceLogTest, APluginWhoseOptionsFailIsDeregisteredAndNamed) {
  node_.AddPlugin("a.sock").script().At(fakes::PluginMethod::kGetOptions, 1, {.act = fakes::PluginAct::kFail});
  EXPECT_FALSE(node_.Register(kResource, "a.sock").ok());
  EXPECT_THAT(MessagesOf({"Registered client", "Deregistered client", "Failed to connect to new client"}),
              ElementsAre("Registered client", "Deregistered client", "Failed to connect to new client"));
  EXPECT_THAT(Lines(), Contains(AllOf(IsLogLine(Severity::kError, "Failed to connect to new client"),
                                      HasLogField("resource", kResource), HasLogField("socketPath", "a.sock"),
                                      HasLogError(HasSubstr("failed to get device plugin options")))));
}

TEST_F(DeviceLogTest, APluginThatCannotBeReached) {
  EXPECT_FALSE(node_.Register(kResource, "none.sock").ok());
  EXPECT_THAT(Lines(),
              Contains(AllOf(IsLogLine(Severity::kError, "Unable to connect to device plugin client with socket path"),
                             HasLogField("path", "none.sock"))));
  EXPECT_THAT(Lines(), Contains(AllOf(IsLogLine(Severity::kError, "Failed to connect to new client"),
                                      HasLogError(HasSubstr("failed to dial device plugin")))));
}

TEST_F(DeviceLogTest, AnAllocationAndAStartOfAContainer) {
  Run();
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  const auto whose =
      AllOf(HasLogField("podUID", "pod"), HasLogField("containerName", "main"), HasLogField("resourceName", kResource));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(3, "Looking for needed resources"), HasLogField("needed", "1"),
                                      HasLogField("resourceName", kResource), HasLogField("pod", "default/pod-pod"),
                                      HasLogField("containerName", "main"))));
  EXPECT_THAT(Lines(),
              Contains(AllOf(IsInfo(3, "Need devices to allocate for pod"), whose, HasLogField("deviceNumber", "1"))));
  EXPECT_THAT(Lines(), Contains(IsInfo(4, "Issuing a GetPreferredAllocation call for container")));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(4, "Making allocation request for device plugin"),
                                      HasLogField("resourceName", kResource), HasLogField("devices", R"(["dev-0"])"))));
  EXPECT_THAT(Lines(), Contains(IsInfo(4, "Issuing a PreStartContainer call for container")));
}

TEST_F(DeviceLogTest, APluginThatWantsToKnowNothing) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  EXPECT_THAT(Lines(), Contains(IsInfo(5, "Plugin options indicate to skip GetPreferredAllocation for resource")));
  EXPECT_THAT(Lines(), Contains(IsInfo(5, "Plugin options indicate to skip PreStartContainer for resource")));
}

TEST_F(DeviceLogTest, APodThatIsAdmittedAgain) {
  Run();
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.Admit(pod_));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(3, "Found pre-allocated devices for resource on pod"),
                                      HasLogField("podUID", "pod"), HasLogField("devices", R"(["dev-0"])"))));
  EXPECT_THAT(Lines(),
              Contains(AllOf(IsInfo(3, "No devices needed, nothing to do"), HasLogField("deviceNumber", "0"))));
}

TEST_F(DeviceLogTest, APodThatIsRefusedBecauseItsPluginIsNotBackSaysWhatItHas) {
  Run();
  ASSERT_OK(node_.Admit(pod_));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_FALSE(node_.Admit(pod_).ok());
  EXPECT_THAT(
      MessagesOf({"Looking for needed resources", "Found pre-allocated devices for resource on pod",
                  "Need devices to allocate for pod", "No devices needed, nothing to do"}),
      ElementsAre("Looking for needed resources", "Need devices to allocate for pod", "Looking for needed resources",
                  "Found pre-allocated devices for resource on pod", "Need devices to allocate for pod"));
}

TEST_F(DeviceLogTest, WhatAClaimBacksIsSkipped) {
  Run();
  Pod pod = pod_;
  pod.extended_resource_claim = ExtendedResourceClaim{.object_name = "claim", .mappings = {{"main", kResource, "r"}}};
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(3, "Skipping allocation for DRA-backed extended resource"),
                                      HasLogField("resourceName", kResource), HasLogField("pod", "default/pod-pod"),
                                      HasLogField("containerName", "main"))));
}

TEST_F(DeviceLogTest, APodThatIsGoneGetsNoDevicesLate) {
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.Remove("pod");
  ASSERT_OK(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(5, "Pod deleted from activePods, skip to reAllocate"),
                                      HasLogField("podUID", "pod"), HasLogField("containerName", "main"))));
}

TEST_F(DeviceLogTest, TheAllocatableDevicesThatWereAskedFor) {
  Run();
  node_.manager().AllocatableDevices();
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(4, "GetAllocatableDevices"), HasLogField("known", "1"),
                                      HasLogField("allocatable", "1"))));
}

TEST_F(DeviceLogTest, ARestartWithAContainerThatRuns) {
  Run();
  ASSERT_OK(node_.Admit(pod_));
  node_.Kill();
  ASSERT_OK(node_.Start("latest", {.running = {{"pod", "main"}}}));
  ASSERT_OK(node_.Admit(pod_));
  EXPECT_THAT(Lines(), Contains(IsInfo(4, "Read data from checkpoint file")));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Get checkpoint entry"), HasLogField("podUID", "pod"),
                                      HasLogField("deviceIDs", R"(["dev-0"])"))));
  EXPECT_THAT(Lines(), Contains(IsInfo(3, "Found pre-allocated devices for resource on pod")));
  EXPECT_THAT(Lines(), Contains(IsInfo(3, "Container detected running, nothing to do")));
}

TEST_F(DeviceLogTest, PodsThatAreCollected) {
  Run();
  ASSERT_OK(node_.Admit(pod_));
  node_.Remove("pod");
  node_.manager().CollectLeftovers();
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(3, "Pods to be removed"), HasLogField("podUIDs", R"(["pod"])"))));
  EXPECT_TRUE(node_.log.AwaitLine("Checkpoint file written"));
}

TEST_F(DeviceLogTest, APodThatGetsItsDevicesLate) {
  ASSERT_OK(node_.Admit(pod_));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.manager().ContainerRunOptions(pod_, pod_.containers[0]));
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(2, "Needs to re-allocate device plugin resources for pod"),
                                      HasLogField("pod", "default/pod-pod"), HasLogField("containerName", "main"))));
}

TEST_F(DeviceLogTest, HintsThatCannotBeMade) {
  Run();
  node_.manager().hints().ContainerHints(pod_, pod_.containers[0]);
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(0, "Resource does not have a topology preference"),
                                      HasLogField("resourceName", kResource), HasLogField("pod", "default/pod-pod"),
                                      HasLogField("containerName", "main"), HasLogField("request", "1"))));
  ASSERT_OK(node_.RunPlugin("example.com/numa", "b.sock", {.devices = NumberedDevices("dev-", 1, 1)}));
  const Pod greedy = PodWith("greedy", {{"example.com/numa", 2}});
  node_.manager().hints().ContainerHints(greedy, greedy.containers[0]);
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(0,
                                             "Unable to generate topology hints: requested number of devices "
                                             "unavailable"),
                                      HasLogField("request", "2"), HasLogField("available", "1"))));
  const Pod modest = PodWith("modest", {{"example.com/numa", 1}});
  ASSERT_OK(node_.Admit(modest));
  node_.manager().hints().ContainerHints(modest, modest.containers[0]);
  EXPECT_THAT(Lines(), Contains(IsInfo(0, "Regenerating TopologyHints for resource already allocated to pod")));
  const Pod changed = PodWith("modest", {{"example.com/numa", 2}});
  node_.manager().hints().ContainerHints(changed, changed.containers[0]);
  EXPECT_THAT(Lines(), Contains(AllOf(IsInfo(0, "Resource already allocated to pod with different number than request"),
                                      HasLogField("request", "2"), HasLogField("allocated", "1"))));
}

TEST_F(DeviceLogTest, NumaNodesThatTheMachineDoesNotHave) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4, 3)}));
  node_.manager().hints().ContainerHints(pod_, pod_.containers[0]);
  EXPECT_THAT(Lines(),
              Contains(AllOf(IsInfo(0, "Ignoring NUMA node IDs reported by device plugin that are unknown to cadvisor"),
                             HasLogField("resource", kResource), HasLogField("unknownNodes", "[1,2]"),
                             HasLogField("knownNodes", "[0]"))));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
