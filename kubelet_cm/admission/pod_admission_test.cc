// What the topology policies make of a pod's admission, with a plugin whose devices lie on two NUMA nodes.
// pod_admission_test_restart is the same with a kill and a start after each admission.
#include "kubelet_cm/admission/pod_admission.h"

#include <string>
#include <vector>

#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using fakes::NumberedDevices;
using harness::PodNode;
using harness::PodWith;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";
constexpr char kOther[] = "example.com/other";

class PodAdmissionTest : public ::testing::Test {
 protected:
  // Two devices of kResource and two of kOther: dev-0 and other-0 are on node 0, dev-1 and other-1 on node 1.
  void Start(TopologyPolicy policy, TopologyScope scope = TopologyScope::kContainer) {
    ASSERT_OK(node_.Start({.admission = {.policy = policy, .scope = scope, .numa_nodes = {0, 1}}}));
    ASSERT_OK(node_.RunPlugin(kResource, {.devices = NumberedDevices("dev-", 2, 2)}));
    ASSERT_OK(node_.RunPlugin(kOther, {.devices = NumberedDevices("other-", 2, 2)}));
  }
  SharedPodRecord Admit(const Pod& pod) {
    absl::StatusOr<SharedPodRecord> record = node_.manager().AdmitPod(pod, PodSource::kApi);
    EXPECT_OK(record);
    EXPECT_OK(node_.MaybeRestart());
    return *record;
  }
  // A pod whose containers want a device of kResource each.
  static Pod PodOfTwo(const std::string& uid) {
    Pod pod = PodWith(uid, {{kResource, 1}});
    pod.containers.push_back({.name = "second", .limits = {{kResource, 1}}});
    return pod;
  }

  PodNode node_;
};

TEST_F(PodAdmissionTest, WithoutAPolicyDevicesAreTakenWhereverTheyAre) {
  Start(TopologyPolicy::kNone);
  EXPECT_EQ(Admit(PodWith("a", {{kResource, 2}}))->phase, PodPhase::kAdmitted);
}

TEST_F(PodAdmissionTest, DevicesOfOnePodComeFromTheSameNode) {
  Start(TopologyPolicy::kBestEffort);
  Admit(PodWith("first", {{kResource, 1}}));
  ASSERT_THAT(node_.Devices("first", kResource), ElementsAre("dev-0"));
  Admit(PodWith("a", {{kResource, 1}, {kOther, 1}}));
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-1"));
  EXPECT_THAT(node_.Devices("a", kOther), ElementsAre("other-1"));
}

TEST_F(PodAdmissionTest, OneNodeThatCannotHaveItAllIsARefusalInTheKubeletsWords) {
  Start(TopologyPolicy::kSingleNumaNode);
  const SharedPodRecord refused = Admit(PodWith("a", {{kResource, 2}}));
  EXPECT_EQ(refused->phase, PodPhase::kRefused);
  EXPECT_EQ(refused->reason, "TopologyAffinityError");
  EXPECT_EQ(refused->message, "Resources cannot be allocated with Topology locality");
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
}

TEST_F(PodAdmissionTest, BestEffortTakesWhatItCanGet) {
  Start(TopologyPolicy::kBestEffort);
  Admit(PodWith("a", {{kResource, 2}}));
  EXPECT_THAT(node_.Devices("a", kResource), SizeIs(2));
}

TEST_F(PodAdmissionTest, InTheScopeOfContainersEachMayHaveItsOwnNode) {
  Start(TopologyPolicy::kSingleNumaNode, TopologyScope::kContainer);
  EXPECT_EQ(Admit(PodOfTwo("a"))->phase, PodPhase::kAdmitted);
}

TEST_F(PodAdmissionTest, InTheScopeOfPodsAllContainersShareANode) {
  Start(TopologyPolicy::kSingleNumaNode, TopologyScope::kPod);
  EXPECT_EQ(Admit(PodOfTwo("a"))->reason, "TopologyAffinityError");
}

TEST_F(PodAdmissionTest, AdmissionsAndRefusalsForTopologyAreCounted) {
  node_.NoRestart("what is counted is counted since the start");
  Start(TopologyPolicy::kSingleNumaNode);
  Admit(PodWith("a", {{kResource, 2}}));
  Admit(PodWith("b", {{kResource, 1}}));
  EXPECT_EQ(MetricValue(node_.metrics(), "kubelet_topology_manager_admission_requests_total"), 2);
  EXPECT_EQ(MetricValue(node_.metrics(), "kubelet_topology_manager_admission_errors_total"), 1);
}

}  // namespace
}  // namespace kubelet_cm
