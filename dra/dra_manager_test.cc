// What the manager answers, counts and says; how it prepares and unprepares is in the tests of those.
#include "dra/dra_manager.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "dra/dra_node_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverAct;
using harness::ClaimOf;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

MATCHER_P2(IsInfo, level, message, "") {
  return arg.severity == Severity::kInfo && arg.verbosity == level && arg.message == message;
}

// Two devices, one for each request, each with a CDI id of its own.
std::vector<ClaimDevice> TwoDevices(const ClaimId& claim) {
  std::vector<ClaimDevice> devices;
  for (const char* request : {"fast", "slow"}) {
    ClaimDevice device{
        .pool_name = "pool", .device_name = request, .share_id = {}, .request_names = {}, .cdi_device_ids = {}};
    device.request_names.Set({request});
    device.cdi_device_ids.Set({"vendor.com/gpu=" + claim.name + "-" + request});
    devices.push_back(std::move(device));
  }
  return devices;
}

class DraManagerTest : public DraNodeFixture {
 protected:
  DraManagerTest() : DraNodeFixture({.devices = TwoDevices}) {}
  void Start(std::string_view kubelet = "latest", DraManagerOptions options = {}) {
    ASSERT_OK(node_.Start(kubelet, options));
  }
  std::optional<double> Metric(const std::string& name, const std::map<std::string, std::string>& labels) {
    return MetricValue(node_.metrics(), name, labels);
  }
  std::optional<double> InUse(const std::string& driver) {
    return Metric("dra_resource_claims_in_use", {{"driver_name", driver}});
  }
};

TEST_F(DraManagerTest, AContainerGetsTheCdiDevicesOfTheRequestsThatItNames) {
  Start();
  Pod pod = Prepared("pod", {"a"});
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions all, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_THAT(all.cdi_device_ids, ElementsAre("vendor.com/gpu=a-fast", "vendor.com/gpu=a-slow"));
  EXPECT_THAT(all.annotations, IsEmpty());
  pod.containers[0].claims = {{.name = "a", .request = "slow"}};
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions one, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_THAT(one.cdi_device_ids, ElementsAre("vendor.com/gpu=a-slow"));
  pod.containers[0].claims.clear();
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions none, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_EQ(none, ClaimRunOptions());
}

TEST_F(DraManagerTest, ARequestIsServedByItsSubrequestsAndInKubeletsByItsVeryNameAlone) {
  for (const char* kubelet : {"latest", "1.37"}) {
    Start(kubelet);
    Pod pod = Prepared(std::string("pod-") + kubelet, {"a"});
    pod.containers[0].claims = {{.name = "a", .request = "fast/big"}};
    ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, node_.manager().GetResources(pod, pod.containers[0]));
    EXPECT_EQ(options.cdi_device_ids.empty(), std::string_view(kubelet) == "1.37");
    node_.Kill();
  }
}

TEST_F(DraManagerTest, AClaimThatNobodyPreparedIsAnError) {
  Start();
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_EQ(node_.manager().GetResources(pod, pod.containers[0]).status().message(),
            "internal error: unable to get claim info for ResourceClaim a in namespace default");
  EXPECT_EQ(node_.manager().ContainerClaimInfos(pod, pod.containers[0]).status().message(),
            "unable to get information for ResourceClaim a");
}

TEST_F(DraManagerTest, ClaimInfosShowEachDeviceWithItsOwnCdiIds) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  ASSERT_OK_AND_ASSIGN(const auto infos, node_.manager().ContainerClaimInfos(pod, pod.containers[0]));
  ASSERT_THAT(infos, SizeIs(1));
  ASSERT_THAT(infos[0].devices, SizeIs(2));
  EXPECT_THAT(infos[0].devices[1].cdi_device_ids, ElementsAre("vendor.com/gpu=a-slow"));
}

TEST_F(DraManagerTest, StatusesTellHowTheDevicesAre) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  const auto health = [](const DeviceName& device) {
    return DeviceCondition{device.device == "slow" ? "Unhealthy" : "Healthy", "said by " + device.driver};
  };
  const auto statuses = node_.manager().ClaimStatuses(pod, pod.containers[0], health);
  ASSERT_THAT(statuses, SizeIs(1));
  EXPECT_EQ(statuses[0].name, "claim:a");
  EXPECT_THAT(statuses[0].resources, ElementsAre(DeviceStatus{"vendor.com/gpu=a-fast", "Healthy", "said by gpu"},
                                                 DeviceStatus{"vendor.com/gpu=a-slow", "Unhealthy", "said by gpu"}));
  EXPECT_THAT(node_.manager().PodsUsing(std::vector<DeviceName>{{"gpu", "pool", "slow"}}), ElementsAre("pod"));
}

TEST_F(DraManagerTest, ListingsDoNotWaitForADriverOrForTheDisk) {
  Start();
  const Pod there = Prepared("there", {"a"});
  const Pod pod = node_.AddPod("pod", {"both"});
  gpu_.script().At(kPrepare, 2, {.held = true});
  const auto caller = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
  ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 2));
  EXPECT_TRUE(MightNeedToUnprepare("pod"));
  EXPECT_OK(node_.manager().GetResources(there, there.containers[0]));
  EXPECT_THAT(node_.manager().StuckClaims(), IsEmpty());
  gpu_.script().Release(kPrepare, 2);
}

TEST_F(DraManagerTest, ClaimsInUseAreCountedByDriver) {
  Start();
  EXPECT_EQ(InUse("<any>"), 0);
  const Pod pod = Prepared("pod", {"a", "both"});
  EXPECT_EQ(InUse("<any>"), 2);
  EXPECT_EQ(InUse("gpu"), 2);
  EXPECT_EQ(InUse("nic"), 1);
  ASSERT_OK(Unprepare(pod));
  EXPECT_EQ(InUse("<any>"), 0);
  EXPECT_EQ(InUse("nic"), 0);
}

TEST_F(DraManagerTest, ClaimsThatWerePreparedBeforeTheStartAreInUse) {  // upstream counts those prepared since
  Start();
  Prepared("pod", {"a"});
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(InUse("<any>"), 1);
}

TEST_F(DraManagerTest, OperationsAreTimedWithTheirOutcome) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.act = DriverAct::kFail});
  EXPECT_FALSE(Unprepare(pod).ok());
  const std::string name = "dra_operations_duration_seconds";
  EXPECT_EQ(Metric(name, {{"operation_name", "PrepareResources"}, {"is_error", "false"}}), 1);
  EXPECT_EQ(Metric(name, {{"operation_name", "UnprepareResources"}, {"is_error", "true"}}), 1);
}

TEST_F(DraManagerTest, WhatTheReconcilerDoesIsNotTimed) {
  Start();
  Prepared("pod", {"a"});
  node_.pods.Remove("pod");
  node_.manager().Reconcile();
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
  EXPECT_THAT(node_.metrics().Text(), Not(HasSubstr("operation_name=\"UnprepareResources\"")));
}

TEST_F(DraManagerTest, WhatADriverWantsToBeSkippedIsKnownAfterARestartWhateverTheGateIsThen) {
  Start("latest", {.optional_node_operations = true});
  ClaimObject claim = ClaimOf("quiet", {"gpu"});
  claim.allocation->results[0].skip_node_operations = {"NodeUnprepareResources"};
  node_.claims.Set(claim);
  const Pod pod = Prepared("pod", {"quiet"});
  node_.Kill();
  Start();
  ASSERT_OK(Unprepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), 0);
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
}

TEST_F(DraManagerTest, DriversThatWantNoCallGetNoneAndThatIsCounted) {
  Start("latest", {.optional_node_operations = true});
  ClaimObject claim = ClaimOf("quiet", {"gpu"});
  claim.allocation->results[0].skip_node_operations = {"*"};
  node_.claims.Set(claim);
  const Pod pod = Prepared("pod", {"quiet"});
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.script().Calls(), IsEmpty());
  EXPECT_EQ(Metric("dra_node_prepare_skips_total", {{"driver_name", "gpu"}}), 1);
  EXPECT_EQ(Metric("dra_node_unprepare_skips_total", {{"driver_name", "gpu"}}), 1);
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
}

TEST_F(DraManagerTest, WithoutTheGateAClaimThatSkipsIsRefused) {
  Start();
  ClaimObject claim = ClaimOf("quiet", {"gpu"});
  claim.allocation->results[0].skip_node_operations = {"*"};
  node_.claims.Set(claim);
  EXPECT_EQ(Prepare(node_.AddPod("pod", {"quiet"})).message(),
            "prepare dynamic resources: ResourceClaim quiet: DRAOptionalNodeOperations feature gate is disabled on "
            "kubelet");
}

TEST_F(DraManagerTest, AClaimThatIsReservedForThePodsGroupNeedsTheGate) {
  ClaimObject claim = ClaimOf("shared", {"gpu"});
  claim.reserved_for = {
      {.api_group = "scheduling.k8s.io", .resource = "podgroups", .name = "group", .uid = "group-uid"}};
  node_.claims.Set(claim);
  Pod pod = harness::PodUsing("pod", {"shared"});
  pod.scheduling_group = "group";
  node_.pods.Add("pod");
  Start();
  EXPECT_FALSE(Prepare(pod).ok());
  node_.Kill();
  Start("latest", {.pod_group_claims = true});
  EXPECT_OK(Prepare(pod));
}

TEST_F(DraManagerTest, TheClaimBehindExtendedResourcesIsPreparedLast) {
  Start();
  Pod pod = node_.AddPod("pod", {"a", "both"});
  pod.claims.pop_back();
  pod.containers[0].claims.pop_back();
  pod.containers[0].limits = {{"example.com/gpu", 1}};
  pod.extended_resource_claim = ExtendedResourceClaim{
      .object_name = "both",
      .mappings = {{.container_name = "main", .resource_name = "example.com/gpu", .request_name = "fast"}}};
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid", "both-uid"));
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_THAT(options.cdi_device_ids, Contains("vendor.com/gpu=both-fast"));
}

TEST_F(DraManagerTest, AccessForAdministrationIsPreparedAsAnyOther) {
  Start();
  ClaimObject claim = ClaimOf("admin", {"gpu"});
  claim.allocation->results[0].admin_access = true;
  node_.claims.Set(claim);
  Prepared("pod", {"admin"});
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("admin-uid"));
}

TEST_F(DraManagerTest, ThereIsAFileFromTheFirstStartOn) {
  Start();
  EXPECT_EQ(node_.StateFile(),
            R"({"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",)"
            R"(\"ClaimInfoStateList\":null}","Checksum":4010664294})");
}

TEST_F(DraManagerTest, LinesThatPeopleSearchLogsFor) {
  Start();
  const Pod pod = Prepared("pod", {"a"});
  EXPECT_OK(Prepare(pod));
  EXPECT_OK(Unprepare(pod));
  const auto lines = node_.log.lines();
  EXPECT_THAT(lines, Contains(AllOf(IsInfo(3, "Processing resource"), HasLogField("podClaim", "a"),
                                    HasLogField("pod", "default/pod-pod"))));
  EXPECT_THAT(lines, Contains(IsInfo(6, "Created new claim info cache entry")));
  EXPECT_THAT(lines, Contains(IsInfo(6, "Found existing claim info cache entry")));
  EXPECT_THAT(lines, Contains(IsInfo(5, "Resources already prepared")));
  EXPECT_THAT(lines, Contains(IsInfo(4, "Calling NodePrepareResources rpc")));
  EXPECT_THAT(lines, Contains(IsInfo(4, "Done calling NodePrepareResources rpc")));
  EXPECT_THAT(lines, Contains(IsInfo(4, "Calling NodeUnprepareResources rpc")));
  EXPECT_THAT(lines, Contains(IsInfo(4, "Done calling NodeUnprepareResources rpc")));
  EXPECT_THAT(lines, Contains(IsInfo(6, "Deleted claim info cache entry")));
  EXPECT_THAT(lines, Contains(IsInfo(5, "ResourceClaim usage changed")));
}

TEST_F(DraManagerTest, AnEntryThatNeedsNoObjectHasNothingToPrepare) {
  Start();
  Pod pod = node_.AddPod("pod", {"a"});
  pod.claims.push_back({.name = "x", .from_template = true, .not_needed = true});
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(node_.log.lines(), Contains(AllOf(IsInfo(5, "No need to prepare resources, no claim generated"),
                                                HasLogField("podClaim", "x"))));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
}

}  // namespace
}  // namespace kubelet_cm::dra
