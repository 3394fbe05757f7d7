// What an upgrade of the node makes of the claims that pods use: one kubelet writes, another one reads. And what
// kubelets of their time did otherwise.
#include <string>
#include <vector>

#include "checkpointmanager/checkpoint_recovery.h"
#include "common/status/status_matchers.h"
#include "dra/dra_manager.h"
#include "dra/dra_node_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using fakes::ScriptedDriver;
using harness::ClaimOf;
using harness::DraNode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class DraUpgradeTest : public DraNodeFixture {
 protected:
  DraUpgradeTest() {
    ClaimObject claim = ClaimOf("a", {});
    claim.driver_name = "gpu";
    claim.allocation->handles = {ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}};
    node_.claims.Set(claim);  // as it was until 1.30
    node_.AddClaim("new", {"gpu"});
  }
  // A node of that version with a pod that uses the claim; then the kubelet is killed.
  Pod RunAs(std::string_view kubelet, const std::string& claim) {
    EXPECT_OK(node_.Start(kubelet));
    Pod pod = Prepared("pod", {claim});
    node_.Kill();
    return pod;
  }
  std::vector<std::string> CdiDevices(const Pod& pod) {
    const auto options = node_.manager().GetResources(pod, pod.containers[0]);
    EXPECT_OK(options);
    return options.ok() ? options->cdi_device_ids : std::vector<std::string>();
  }
};

class AnyUpgradeTest : public DraUpgradeTest, public testing::WithParamInterface<const char*> {};

TEST_P(AnyUpgradeTest, LatestKnowsWhatThatKubeletHadPreparedAndUnpreparesIt) {
  const Pod pod = RunAs(GetParam(), std::string_view(GetParam()) < "1.31" ? "a" : "new");
  ASSERT_OK(node_.Start());
  EXPECT_NE(node_.manager().restore_outcome(), RecoveryOutcome::kCorrupt);
  EXPECT_THAT(CdiDevices(pod), ElementsAre(StartsWith("example.com/fake=")));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2) << "a kubelet's file does not say that it still is prepared";
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Kubelets, AnyUpgradeTest,
                         testing::Values("1.27", "1.28", "1.29", "1.30", "1.31", "1.34", "1.35", "1.37"));

TEST_F(DraUpgradeTest, From130To131TheKubeletRefusesToStart) {
  RunAs("1.30", "a");
  const absl::Status refused = node_.Start("1.31");
  EXPECT_THAT(std::string(refused.message()), StartsWith("create ResourceClaim cache: "));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
}

TEST_F(DraUpgradeTest, ADowngradeTo136ReadsWhatLatestWroteAndCallsTheDriverAgain) {
  const Pod pod = RunAs("latest", "new");
  ASSERT_OK(node_.Start("1.36"));
  EXPECT_THAT(CdiDevices(pod), ElementsAre("example.com/fake=new-uid"));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 2);
}

TEST_F(DraUpgradeTest, Kubelet126KeepsNothingOverARestart) {
  const Pod pod = RunAs("1.26", "a");
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
  ASSERT_OK(node_.Start("1.26"));
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
}

TEST_F(DraUpgradeTest, ContainersGotAnnotationsUntil130AndTheirDevicesByNameSince127) {
  ASSERT_OK(node_.Start("1.26"));
  const Pod pod = node_.AddPod("pod", {"a"});
  ASSERT_OK(Prepare(pod));
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions first, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_THAT(first.cdi_device_ids, IsEmpty());
  EXPECT_THAT(first.annotations, ElementsAre(CdiAnnotation{"cdi.k8s.io/gpu_a-uid", "example.com/fake=a-uid"}));
  node_.Kill();
  ASSERT_OK(node_.Start("1.30"));
  ASSERT_OK(Prepare(pod));
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions second, node_.manager().GetResources(pod, pod.containers[0]));
  EXPECT_EQ(second.annotations, first.annotations);
  EXPECT_THAT(second.cdi_device_ids, ElementsAre("example.com/fake=a-uid"));
}

TEST_F(DraUpgradeTest, ClaimsThatNoContainerUsesWereNotPreparedUntil130) {
  ASSERT_OK(node_.Start("1.30"));
  Pod pod = node_.AddPod("pod", {"a"});
  pod.containers[0].claims.clear();
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.script().Calls(), IsEmpty());
  node_.Kill();
  ASSERT_OK(node_.disk.Unlink(DraNode::kStateFile));  // which 1.31 cannot read
  ASSERT_OK(node_.Start("1.31"));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
}

TEST_F(DraUpgradeTest, APrepareThatFailedWasForgottenUntil130) {
  for (const char* kubelet : {"1.30", "1.31"}) {
    DraNode node;
    ScriptedDriver& gpu = node.drivers.Add("gpu");
    gpu.script().At(kPrepare, 1, {.act = fakes::DriverAct::kClaimError});
    ASSERT_OK(node.Start(kubelet));
    const Pod pod = node.AddPod("pod", {node.AddClaim("a", {"gpu"})});
    EXPECT_FALSE(node.manager().PrepareResources(pod).ok());
    const bool forgotten = std::string_view(kubelet) == "1.30";
    EXPECT_EQ(node.manager().PodMightNeedToUnprepare("pod"), !forgotten) << kubelet;
    EXPECT_OK(node.manager().PrepareResources(pod));
  }
}

TEST_F(DraUpgradeTest, ADamagedFileIsSetAsideAndLatestStartsEmpty) {  // a kubelet refuses
  const Pod pod = RunAs("latest", "new");
  ASSERT_OK(node_.DamageStateFile());
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.manager().restore_outcome(), RecoveryOutcome::kCorrupt);
  EXPECT_FALSE(MightNeedToUnprepare("pod"));
  EXPECT_THAT(*node_.disk.List(DraNode::kFolder), testing::Contains(HasSubstr("dra_manager_state.corrupt-")));
  EXPECT_OK(Prepare(pod));
}

TEST_F(DraUpgradeTest, ADamagedFileKeepsAStrictStartAndEveryKubeletFromStarting) {
  RunAs("1.36", "new");
  ASSERT_OK(node_.DamageStateFile());
  EXPECT_FALSE(node_.Start("latest", {.recover = RecoverPolicy::kStrict}).ok());
  EXPECT_THAT(std::string(node_.Start("1.36").message()),
              StartsWith("create ResourceClaim cache: GetOrCreate() on checkpoint state: "));
  EXPECT_THAT(*node_.disk.List(DraNode::kFolder), ElementsAre("dra_manager_state"));
}

}  // namespace
}  // namespace kubelet_cm::dra
