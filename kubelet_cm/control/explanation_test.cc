#include "kubelet_cm/control/explanation.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ExplainResponse;
using ::kubeletcm::v1::PodView;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kResource[] = "example.com/device";

std::vector<std::string> Told(const ExplainResponse& response) {
  std::vector<std::string> told;
  for (const auto& finding : response.findings()) told.push_back(absl::StrCat(finding.level(), ": ", finding.text()));
  return told;
}

std::string AllAdvice(const ExplainResponse& response) {
  std::string advice;
  for (const auto& finding : response.findings()) absl::StrAppend(&advice, finding.advice(), "\n");
  return advice;
}

// A node with two devices of which the pod default/holder has one, and a claim of the driver "gpu".
class ExplanationTest : public ::testing::Test {
 protected:
  ExplanationTest() {
    auto& resource = *node_.resources.add_resources();
    resource.set_name(kResource);
    resource.set_connected(true);
    resource.set_capacity(2);
    resource.set_allocatable(2);
    resource.set_allocated(1);
    for (const char* id : {"dev-0", "dev-1"}) {
      auto& device = *resource.add_devices();
      device.set_id(id);
      device.set_health("Healthy");
    }
    auto& holder = *resource.mutable_devices(0)->add_holders()->mutable_pod();
    holder.set_uid("h");
    holder.set_namespace_("default");
    holder.set_name("holder");
    auto& claim = *node_.claims.add_claims();
    claim.set_namespace_("default");
    claim.set_name("claim");
    claim.set_state("Prepared");
    claim.add_pods()->set_uid("a");
    auto& driver = *claim.add_drivers();
    driver.set_name("gpu");
    driver.set_prepared(true);
    auto& plugin = *node_.plugins.add_plugins();
    plugin.set_type("DRAPlugin");
    plugin.set_name("gpu");
    plugin.set_state("connected");
    pod_.mutable_pod()->set_uid("a");
    pod_.mutable_pod()->set_namespace_("default");
    pod_.mutable_pod()->set_name("web");
    pod_.set_state(::kubeletcm::v1::POD_STATE_PREPARED);
  }
  auto& resource() { return *node_.resources.mutable_resources(0); }
  auto& claim() { return *node_.claims.mutable_claims(0); }

  NodePicture node_;
  PodView pod_;
};

TEST_F(ExplanationTest, NothingIsWrongWithAPodThatHasWhatItNeeds) {
  const ExplainResponse response = ExplainPod(node_, pod_);
  EXPECT_EQ(response.summary(), "pod default/web has its devices and its claims");
  EXPECT_THAT(Told(response), ElementsAre("ok: nothing stands in its way"));
}

TEST_F(ExplanationTest, ARefusedPodIsToldWhoHoldsTheDevices) {
  resource().set_allocated(2);
  pod_.set_state(::kubeletcm::v1::POD_STATE_REFUSED);
  pod_.set_reason("UnexpectedAdmissionError");
  pod_.set_message("Allocate failed due to requested number of devices unavailable for example.com/device");
  const ExplainResponse response = ExplainPod(node_, pod_);
  EXPECT_EQ(response.summary(), "pod default/web was refused");
  EXPECT_THAT(Told(response), Contains("note: held by default/holder"));
  EXPECT_THAT(Told(response), Contains("problem: all 2 healthy devices are held"));
}

TEST_F(ExplanationTest, ARefusalForTopologyPointsAtTheNumaNodes) {
  pod_.set_state(::kubeletcm::v1::POD_STATE_REFUSED);
  pod_.set_reason("TopologyAffinityError");
  EXPECT_THAT(AllAdvice(ExplainPod(node_, pod_)), HasSubstr("NUMA"));
}

TEST_F(ExplanationTest, AResourceWithoutAPluginAndWithUnhealthyDevicesIsToldSo) {
  resource().mutable_devices(1)->set_health("Unhealthy");
  EXPECT_THAT(Told(ExplainResource(node_, kResource)), Contains("problem: 1 device is not healthy: dev-1 (Unhealthy)"));
  resource().set_connected(false);
  EXPECT_THAT(Told(ExplainResource(node_, kResource)),
              Contains("problem: no plugin is connected for example.com/device"));
}

TEST_F(ExplanationTest, AResourceThatNobodyRegisteredIsToldApart) {
  EXPECT_EQ(ExplainResource(node_, "example.com/other").summary(), "no plugin has registered example.com/other");
}

TEST_F(ExplanationTest, AStuckClaimIsToldWithTheWayOut) {
  node_.plugins.mutable_plugins(0)->set_state("disconnected");
  claim().set_state("Unpreparing");
  claim().set_stuck("driver gpu: DRA driver gpu is not registered");
  const ExplainResponse response = ExplainClaim(node_, claim());
  EXPECT_EQ(response.summary(), "claim default/claim is Unpreparing");
  EXPECT_THAT(Told(response), Contains("problem: driver gpu of claim default/claim is not connected"));
  EXPECT_THAT(Told(response), Contains(StartsWith("problem: claim default/claim cannot be unprepared")));
  EXPECT_THAT(AllAdvice(response), HasSubstr("cmctl claim forget default/claim"));
}

TEST_F(ExplanationTest, ADriverThatIsConnectedWhenItIsCalledIsNoProblem) {
  node_.plugins.mutable_plugins(0)->set_state("registered");
  EXPECT_THAT(Told(ExplainPod(node_, pod_)), ElementsAre("ok: nothing stands in its way"));
}

TEST_F(ExplanationTest, APodIsToldOfTheDriversOfItsOwnClaimsOnly) {
  node_.plugins.mutable_plugins(0)->set_state("disconnected");
  EXPECT_THAT(Told(ExplainPod(node_, pod_)), Contains("problem: driver gpu of claim default/claim is not connected"));
  pod_.mutable_pod()->set_uid("b");
  EXPECT_THAT(Told(ExplainPod(node_, pod_)), ElementsAre("ok: nothing stands in its way"));
}

TEST_F(ExplanationTest, DevicesOfThePodThatAreNotHealthyAreTold) {
  auto& status = *pod_.add_containers()->add_allocated_resources_status();
  status.set_name(kResource);
  auto& health = *status.add_resources();
  health.set_resource_id("dev-0");
  health.set_health("Unknown");
  EXPECT_THAT(Told(ExplainPod(node_, pod_)), Contains(HasSubstr("example.com/device dev-0 is Unknown")));
}

TEST_F(ExplanationTest, APodThatWasAdmittedWithoutItsDevicesIsToldSo) {
  auto& container = *pod_.add_containers();
  container.set_name("main");
  container.add_without("example.com/other");
  EXPECT_EQ(ExplainPod(node_, pod_).summary(), "pod default/web has its claims, but not all its devices");
  pod_.set_state(::kubeletcm::v1::POD_STATE_ADMITTED);
  const ExplainResponse response = ExplainPod(node_, pod_);
  EXPECT_EQ(response.summary(), "pod default/web was admitted without all its devices");
  EXPECT_THAT(Told(response), ElementsAre("problem: container main has no example.com/other: nobody had registered it "
                                          "when the pod was admitted"));
  EXPECT_THAT(AllAdvice(response), HasSubstr("cmctl delete pod default/web"));
}

TEST_F(ExplanationTest, ARestoredPodIsToldHowItGoesOn) {
  pod_.set_state(::kubeletcm::v1::POD_STATE_RESTORED);
  EXPECT_THAT(AllAdvice(ExplainPod(node_, pod_)), HasSubstr("cmctl delete pod a"));
}

}  // namespace
}  // namespace kubelet_cm
