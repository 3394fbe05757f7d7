// What kubelets did about claims in their time, and no longer do: warts, each of its versions. That none of it happens
// here is said by the tests of the rooms.
#include <string>
#include <utility>
#include <vector>

#include "common/status/status_matchers.h"
#include "dra/dra_manager.h"
#include "dra/dra_node_fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DraEmulationTest : public DraNodeFixture {
 protected:
  void Start(std::string_view kubelet) { ASSERT_OK(node_.Start(kubelet)); }
  void Restart(std::string_view kubelet) {
    node_.Kill();
    Start(kubelet);
  }
  // A claim as it was until 1.30, with so many handles of the driver "gpu".
  static ClaimObject OldClaim(const std::string& name, int handles) {
    ClaimObject claim = harness::ClaimOf(name, {});
    claim.driver_name = "gpu";
    for (int i = 0; i < handles; ++i) {
      claim.allocation->handles.push_back(
          ResourceHandle{.driver_name = "gpu", .data = std::to_string(i), .structured_data = {}});
    }
    return claim;
  }
  void SetOldClaim(const std::string& name, int handles) { node_.claims.Set(OldClaim(name, handles)); }
  std::string Refusal(const absl::Status& status) { return std::string(status.message()); }
};

TEST_F(DraEmulationTest, In127AnUnprepareNeedsTheClaimToBeThereStill) {
  SetOldClaim("a", 1);
  Start("1.27");
  const Pod pod = Prepared("pod", {"a"});
  node_.claims.Remove("default", "a");
  EXPECT_THAT(Refusal(Unprepare(pod)),
              testing::StartsWith("failed to fetch ResourceClaim a referenced by pod pod-pod: "));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
  Restart("1.28");
  EXPECT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(DraEmulationTest, In127OnlyTheLastPodOfAClaimAsksForIt) {
  SetOldClaim("a", 1);
  Start("1.27");
  const Pod one = Prepared("one", {"a"});
  const Pod two = Prepared("two", {"a"});
  const int before = node_.claims.gets();
  EXPECT_OK(Unprepare(one));
  EXPECT_EQ(node_.claims.gets(), before) << "another pod has it";
  EXPECT_OK(Unprepare(two));
  EXPECT_EQ(node_.claims.gets(), before + 1);
}

TEST_F(DraEmulationTest, In127HandlesThatAreNotInTheFileComeFromTheApiServer) {
  SetOldClaim("a", 2);
  Start("1.27");
  const Pod pod = Prepared("pod", {"a"});
  Restart("1.27");
  gpu_.script().At(kUnprepare, 1, {.act = fakes::DriverAct::kFail});
  EXPECT_FALSE(Unprepare(pod).ok());
  MutexLock lock(&node_.manager().state().mu);
  EXPECT_THAT(node_.manager().state().table.claims().Find("default", "a")->handles, SizeIs(2));
}

TEST_F(DraEmulationTest, In127TheFileIsWrittenAfterEachHandle) {
  SetOldClaim("a", 3);
  Start("1.27");
  const auto before = node_.manager().writes();
  gpu_.script().At(kPrepare, 3, {.held = true});
  const Pod pod = node_.AddPod("pod", {"a"});
  const auto caller = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
  ASSERT_OK(gpu_.script().WaitForCall(kPrepare, 3));
  EXPECT_EQ(node_.manager().writes().writes, before.writes + 2);
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
  gpu_.script().Release(kPrepare, 3);
}

TEST_F(DraEmulationTest, Until127AKnownClaimIsPreparedWithoutAskingForIt) {
  SetOldClaim("a", 1);
  for (const char* kubelet : {"1.26", "1.27"}) {
    Start(kubelet);
    Prepared(std::string("first-") + kubelet, {"a"});
    const Pod second = node_.AddPod(std::string("second-") + kubelet, {"a"});
    node_.claims.Remove("default", "a");
    EXPECT_OK(Prepare(second)) << kubelet;
    node_.Kill();
    SetOldClaim("a", 1);
  }
}

TEST_F(DraEmulationTest, In127And128WhatTheFileHasIsPreparedAndSince129DriversAreCalledAgain) {
  for (const char* kubelet : {"1.27", "1.28", "1.29"}) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    ASSERT_OK(node.Start(kubelet));
    const Pod pod = node.AddPod("pod", {node.AddClaim("a", {"gpu"})});
    ASSERT_OK(node.manager().PrepareResources(pod));
    node.Kill();
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.manager().PrepareResources(pod));
    EXPECT_EQ(gpu.script().CallCount(kPrepare), std::string_view(kubelet) < "1.29" ? 1 : 2) << kubelet;
  }
}

TEST_F(DraEmulationTest, Until136APodWithoutItsStatusCannotBeUnprepared) {
  Start("1.36");
  Pod pod = Prepared("pod", {"a"});
  Pod stripped = pod;
  stripped.claims[0].object_name.reset();
  stripped.claims[0].from_template = true;
  EXPECT_THAT(Refusal(Unprepare(stripped)), HasSubstr("ResourceClaim not created yet"));
  Restart("1.37");
  EXPECT_OK(Unprepare(stripped));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(DraEmulationTest, In137APodOfWhichNothingIsKnownIsAskedForItsClaims) {
  Pod pod = node_.AddPod("pod", {"a"});
  pod.claims[0].object_name.reset();
  pod.claims[0].from_template = true;
  Start("1.37");
  EXPECT_THAT(Refusal(Unprepare(pod)), HasSubstr("ResourceClaim not created yet"));
  Restart("latest");
  EXPECT_OK(Unprepare(pod));
}

TEST_F(DraEmulationTest, In134And135APreparedClaimHidesTheNextOnes) {
  for (const char* kubelet : {"1.34", "1.35", "1.36"}) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    for (const char* claim : {"a", "b"}) node.AddClaim(claim, {"gpu"});
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.manager().PrepareResources(node.AddPod("first", {"a"})));
    const Pod pod = node.AddPod("pod", {"a", "b"});
    ASSERT_OK(node.manager().PrepareResources(pod));
    const bool mended = std::string_view(kubelet) == "1.36";
    EXPECT_EQ(gpu.PreparedClaims().contains("b-uid"), mended) << kubelet;
    EXPECT_EQ(node.manager().GetResources(pod, pod.containers[0]).ok(), mended) << kubelet;
  }
}

TEST_F(DraEmulationTest, From132To135TheMetricCallsASuccessAnError) {
  Start("1.35");
  const Pod pod = Prepared("pod", {"a"});
  EXPECT_THAT(node_.metrics().Text(), HasSubstr("count{is_error=\"true\",operation_name=\"PrepareResources\"} 1"));
  Restart("1.36");
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(node_.metrics().Text(), HasSubstr("count{is_error=\"false\",operation_name=\"PrepareResources\"} 1"));
}

TEST_F(DraEmulationTest, Until133AClaimUnderTheNameOfAnotherIsTakenForThatOne) {
  Start("1.33");
  Prepared("old", {"a"});
  ClaimObject next = harness::ClaimOf("a", {"gpu"});
  next.id.uid = "next-uid";
  node_.claims.Set(next);
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
  Restart("1.34");
  EXPECT_THAT(Refusal(Prepare(pod)), HasSubstr("old ResourceClaim with same name a and different UID a-uid"));
}

TEST_F(DraEmulationTest, Until133ADriverThatHasLeftIsNotMissedOnceTheClaimIsPrepared) {
  Start("1.33");
  const Pod pod = Prepared("pod", {"a"});
  node_.drivers.Leave("gpu");
  EXPECT_OK(Prepare(pod));
}

TEST_F(DraEmulationTest, Until133AClaimIsReferencedBeforeItsDriverIsMissed) {
  Start("1.33");
  node_.drivers.Leave("gpu");
  const Pod pod = node_.AddPod("pod", {"a"});
  EXPECT_FALSE(Prepare(pod).ok());
  EXPECT_TRUE(MightNeedToUnprepare("pod"));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
}

TEST_F(DraEmulationTest, Until136AClaimThatIsBeingUnpreparedIsGivenToAPodAndTakenFromIt) {
  Start("1.36");
  const Pod pod = Prepared("pod", {"a"});
  const Pod other = node_.AddPod("other", {"a"});
  gpu_.script().At(kUnprepare, 1, {.held = true});
  {
    const auto caller = node_.threads.Start("unprepare", [&] { EXPECT_OK(Unprepare(pod)); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, 1));
    EXPECT_OK(Prepare(other));
    gpu_.script().Release(kUnprepare, 1);
  }
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
  EXPECT_THAT(Refusal(node_.manager().GetResources(other, other.containers[0]).status()),
              HasSubstr("unable to get claim info for ResourceClaim a"));
}

TEST_F(DraEmulationTest, Until136AClaimWhoseUnprepareFailedIsStillThereForAPod) {
  Start("1.36");
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.act = fakes::DriverAct::kFail});
  EXPECT_FALSE(Unprepare(pod).ok());
  const Pod other = Prepared("other", {"a"});
  EXPECT_OK(node_.manager().GetResources(other, other.containers[0]).status());
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  EXPECT_OK(Unprepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
  EXPECT_OK(Unprepare(other));
  EXPECT_THAT(gpu_.PreparedClaims(), IsEmpty());
}

TEST_F(DraEmulationTest, FailuresOfDriversAreToldInTheWordsOfTheirTime) {
  const std::pair<const char*, const char*> words[] = {
      {"1.26", "NodePrepareResource failed, claim UID: a-uid, claim name: a, resource handle: 0, err: no"},
      {"1.27", "NodePrepareResource failed, claim UID: a-uid, claim name: a, resource handle: 0, err: no"},
      {"1.28", "NodePrepareResources failed for claim default/a: no"},
      {"1.33", "NodePrepareResources failed for claim default/a: no"},
      {"1.34", "prepare dynamic resources: NodePrepareResources failed for ResourceClaim a: no"}};
  for (const auto& [kubelet, said] : words) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    gpu.script().At(kPrepare, 1, {.act = fakes::DriverAct::kClaimError, .error = absl::InternalError("no")});
    node.claims.Set(OldClaim("a", 1));
    ASSERT_OK(node.Start(kubelet));
    EXPECT_EQ(Refusal(node.manager().PrepareResources(node.AddPod("pod", {"a"}))), said) << kubelet;
  }
}

TEST_F(DraEmulationTest, Until127AnUnprepareThatFailsNamesThePodAndItsDevices) {
  SetOldClaim("a", 1);
  Start("1.27");
  const Pod pod = Prepared("pod", {"a"});
  gpu_.script().At(kUnprepare, 1, {.act = fakes::DriverAct::kFail, .error = absl::UnavailableError("gone")});
  EXPECT_EQ(Refusal(Unprepare(pod)),
            "NodeUnprepareResource failed, pod: pod-pod, claim UID: a-uid, claim name: a, "
            "CDI devices: map[gpu:[example.com/fake=a-uid]], err: rpc error: code = Unavailable desc = gone");
}

TEST_F(DraEmulationTest, Until127AllClaimsOfAPodWerePreparedIfAContainerUsedAny) {
  for (const char* kubelet : {"1.26", "1.27", "1.28"}) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    for (const char* claim : {"a", "b"}) node.AddClaim(claim, {"gpu"});
    ASSERT_OK(node.Start(kubelet));
    Pod pod = node.AddPod("pod", {"a", "b"});
    pod.containers[0].claims.pop_back();
    ASSERT_OK(node.manager().PrepareResources(pod));
    EXPECT_EQ(gpu.PreparedClaims().contains("b-uid"), std::string_view(kubelet) < "1.28") << kubelet;
  }
}

TEST_F(DraEmulationTest, Until127AClaimFromATemplateHadItsNameFromThePodAndTheEntry) {
  ClaimObject claim = OldClaim("pod-pod-entry", 1);
  claim.controller = ClaimOwner{"", "Pod", "pod-pod", "pod"};
  node_.claims.Set(claim);
  Pod pod = node_.AddPod("pod", {"pod-pod-entry"});
  pod.claims[0] = {.name = "entry", .from_template = true};
  pod.containers[0].claims[0].name = "entry";
  Start("1.27");
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("pod-pod-entry-uid"));
  Restart("1.28");
  EXPECT_THAT(Refusal(Prepare(pod)), HasSubstr("ResourceClaim not created yet"));
}

TEST_F(DraEmulationTest, Until133NoClaimStoodBehindExtendedResources) {
  Pod pod = node_.AddPod("pod", {"a", node_.AddClaim("behind", {"gpu"})});
  pod.claims.pop_back();
  pod.containers[0].claims.pop_back();
  pod.extended_resource_claim = ExtendedResourceClaim{.object_name = "behind", .mappings = {}};
  Start("1.33");
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
  Restart("1.34");
  EXPECT_OK(Prepare(pod));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid", "behind-uid"));
}

// One after the other has the second driver idle while the first is asked, each time; at the same time, hardly ever.
TEST_F(DraEmulationTest, NoKubeletCallsTheDriversOfAPodAtTheSameTime) {
  Start("1.37");
  for (int i = 1; i <= 20; ++i) {
    const std::string name = "claim-" + std::to_string(i);
    const Pod pod = node_.AddPod(name, {node_.AddClaim(name, {"gpu", "nic"})});
    gpu_.script().At(kPrepare, i, {.held = true});
    const auto caller = node_.threads.Start("prepare", [&] { EXPECT_OK(Prepare(pod)); });
    ASSERT_OK(gpu_.script().WaitForCall(kPrepare, i));
    EXPECT_EQ(nic_.script().CallCount(kPrepare), i - 1);
    gpu_.script().Release(kPrepare, i);
  }
  EXPECT_EQ(nic_.script().CallCount(kPrepare), 20);
}

}  // namespace
}  // namespace kubelet_cm::dra
