// What kubelets did in their time when something failed: whom they did not call any more, what they remembered of it,
// and in which words they told it.
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

using fakes::DriverAct;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// "gpu" is called before "nic".
class DraEmulatedFailuresTest : public DraNodeFixture {
 protected:
  void Start(std::string_view kubelet, DraManagerOptions options = {}) { ASSERT_OK(node_.Start(kubelet, options)); }
  void Restart(std::string_view kubelet) {
    node_.Kill();
    Start(kubelet);
  }
  std::string Refusal(const absl::Status& status) { return std::string(status.message()); }
  static void FailOnce(fakes::ScriptedDriver& driver, fakes::DriverMethod method) {
    driver.script().At(method, 1, {.act = DriverAct::kFail});
  }
  void SetOldClaim(const std::string& name) {
    ClaimObject claim = harness::ClaimOf(name, {});
    claim.driver_name = "gpu";
    claim.allocation->handles.push_back(ResourceHandle{.driver_name = "gpu", .data = "x", .structured_data = {}});
    node_.claims.Set(claim);
  }
};

class EveryKubeletTest : public DraEmulatedFailuresTest, public testing::WithParamInterface<const char*> {};

INSTANTIATE_TEST_SUITE_P(Kubelets, EveryKubeletTest, testing::Values("1.28", "1.30", "1.31", "1.33", "1.34", "1.37"),
                         [](const auto& kubelet) {
                           std::string name = kubelet.param;
                           name.erase(1, 1);
                           return name;
                         });

TEST_P(EveryKubeletTest, AfterADriverThatFailsNoOtherIsCalled) {
  Start(GetParam());
  FailOnce(gpu_, kPrepare);
  const Pod pod = node_.AddPod("pod", {"both"});
  EXPECT_FALSE(Prepare(pod).ok());
  EXPECT_EQ(nic_.script().CallCount(kPrepare), 0);
  EXPECT_OK(Prepare(pod));
  FailOnce(gpu_, kUnprepare);
  EXPECT_FALSE(Unprepare(pod).ok());
  EXPECT_EQ(nic_.script().CallCount(kUnprepare), 0);
  EXPECT_OK(Unprepare(pod));
  EXPECT_THAT(nic_.PreparedClaims(), IsEmpty());
}

TEST_P(EveryKubeletTest, Since131NothingWasPreparedIfAnythingFailed) {
  const bool all_or_none = std::string_view(GetParam()) >= "1.31";
  Start(GetParam());
  FailOnce(nic_, kPrepare);
  const Pod pod = node_.AddPod("pod", {"a", "both"});
  EXPECT_FALSE(Prepare(pod).ok());
  if (all_or_none) {
    EXPECT_THAT(node_.StateFile(), Not(HasSubstr("example.com/fake"))) << "the result is not written";
  } else {
    EXPECT_THAT(node_.StateFile(), HasSubstr("example.com/fake"));
  }
  EXPECT_OK(Prepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), all_or_none ? 2 : 1);
}

TEST_P(EveryKubeletTest, Since131NothingWasUnpreparedIfAnythingFailed) {
  const bool all_or_none = std::string_view(GetParam()) >= "1.31";
  Start(GetParam());
  const Pod pod = Prepared("pod", {"a", "both"});
  FailOnce(nic_, kUnprepare);
  EXPECT_FALSE(Unprepare(pod).ok());
  if (all_or_none) {
    EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
  } else {
    EXPECT_THAT(node_.StateFile(), Not(HasSubstr("a-uid")));
  }
  EXPECT_OK(Unprepare(pod));
  EXPECT_EQ(gpu_.script().CallCount(kUnprepare), all_or_none ? 2 : 1);
}

TEST_F(DraEmulatedFailuresTest, ASharedClaimsReferenceThatWentWasWrittenWithTheNextSuccess) {
  Start("1.37");
  const Pod pod = Prepared("going", {"a", "b"});
  Prepared("staying", {"a"});
  FailOnce(gpu_, kUnprepare);
  EXPECT_FALSE(Unprepare(pod).ok());
  Restart("1.37");
  {
    MutexLock lock(&node_.manager().state().mu);
    EXPECT_THAT(node_.manager().state().table.claims().Find("default", "a")->pods, ElementsAre("going", "staying"));
  }
  EXPECT_OK(Unprepare(pod));
  EXPECT_THAT(node_.StateFile(), Not(HasSubstr("going")));
}

TEST_F(DraEmulatedFailuresTest, Until129AClaimOfBeforeARestartIsStillKnownAfterAPrepareThatFailed) {
  Start("1.29");
  const Pod pod = Prepared("pod", {"a"});
  Restart("1.29");
  gpu_.script().At(kPrepare, 2, {.act = DriverAct::kFail});
  EXPECT_FALSE(Prepare(pod).ok());
  EXPECT_TRUE(MightNeedToUnprepare("pod"));
}

TEST_F(DraEmulatedFailuresTest, From131To133ClaimsBeforeOneThatCannotBeUsedStayedReferenced) {
  for (const char* kubelet : {"1.30", "1.31", "1.33", "1.34", "latest"}) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    ASSERT_OK(node.Start(kubelet));
    Pod pod = node.AddPod("pod", {node.AddClaim("a", {"gpu"})});
    pod.claims.push_back({.name = "c", .object_name = "c"});
    pod.containers[0].claims.push_back({.name = "c", .request = ""});
    EXPECT_FALSE(node.manager().PrepareResources(pod).ok());
    const bool referenced = std::string_view(kubelet) == "1.31" || std::string_view(kubelet) == "1.33";
    EXPECT_EQ(node.manager().PodMightNeedToUnprepare("pod"), referenced) << kubelet;
    EXPECT_EQ(node.StateFile().find("a-uid") != std::string::npos, referenced) << kubelet;
    EXPECT_EQ(gpu.script().CallCount(kPrepare), 0) << kubelet;
  }
}

TEST_F(DraEmulatedFailuresTest, Since134ClaimsBeforeOneOfAnotherUidStayReferenced) {
  Start("1.34");
  Prepared("old", {"b"});
  ClaimObject next = harness::ClaimOf("b", {"gpu"});
  next.id.uid = "next-uid";
  node_.claims.Set(next);
  EXPECT_THAT(Refusal(Prepare(node_.AddPod("new", {"a", "b"}))), HasSubstr("and different UID b-uid still exists"));
  EXPECT_TRUE(MightNeedToUnprepare("new"));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
}

TEST_F(DraEmulatedFailuresTest, Until127ACallIsAboutOneClaimAndHasTheTimeLimitForItself) {
  for (const auto& [kubelet, limit] : std::vector<std::pair<const char*, absl::Duration>>{
           {"1.26", absl::InfiniteDuration()}, {"1.27", absl::Seconds(10)}, {"1.28", absl::Seconds(45)}}) {
    harness::DraNode node;
    fakes::ScriptedDriver& gpu = node.drivers.Add("gpu");
    for (const char* claim : {"a", "b"}) node.AddClaim(claim, {"gpu"});
    ASSERT_OK(node.Start(kubelet));
    const size_t calls = limit == absl::Seconds(45) ? 1 : 2;
    const Pod pod = node.AddPod("pod", {"a", "b"});
    ASSERT_OK(node.manager().PrepareResources(pod));
    ASSERT_OK(node.manager().UnprepareResources(pod));
    EXPECT_EQ(gpu.script().CallCount(kPrepare), calls) << kubelet;
    EXPECT_EQ(gpu.script().CallCount(kUnprepare), calls) << kubelet;
    EXPECT_THAT(gpu.TimeLimits(), testing::AllOf(testing::SizeIs(2 * calls), testing::Each(limit))) << kubelet;
  }
}

TEST_F(DraEmulatedFailuresTest, Until127AClaimIsPreparedBeforeTheNextIsLookedAt) {
  SetOldClaim("a");
  Start("1.27");
  Pod pod = node_.AddPod("pod", {"a"});
  pod.claims.push_back({.name = "c", .object_name = "c"});
  pod.containers[0].claims.push_back({.name = "c", .request = ""});
  EXPECT_THAT(Refusal(Prepare(pod)), HasSubstr("failed to fetch ResourceClaim c referenced by pod pod-pod: "));
  EXPECT_THAT(gpu_.PreparedClaims(), ElementsAre("a-uid"));
  EXPECT_THAT(node_.StateFile(), HasSubstr("a-uid"));
}

TEST_F(DraEmulatedFailuresTest, Until133RefusalsWereToldInOtherWordsAndWithNothingBeforeThem) {
  Pod stranger = harness::PodUsing("stranger", {"a"});
  stranger.claims[0].name = stranger.containers[0].claims[0].name = "entry";
  node_.pods.Add("stranger");
  Pod unmade = stranger;
  unmade.claims[0] = {.name = "entry", .from_template = true};
  const std::string not_allowed = "pod pod-stranger(stranger) is not allowed to use resource claim ";
  Start("1.26");
  EXPECT_EQ(Refusal(Prepare(stranger)), not_allowed + "entry(a-uid)");
  Restart("1.33");
  EXPECT_EQ(Refusal(Prepare(stranger)), not_allowed + "a(a-uid)");
  EXPECT_EQ(Refusal(Prepare(unmade)),
            "prepare resource claim: pod \"default/pod-stranger\": ResourceClaim not created yet");
  EXPECT_EQ(Refusal(Unprepare(unmade)),
            "unprepare resource claim: pod \"default/pod-stranger\": ResourceClaim not created yet");
  Restart("1.34");
  EXPECT_EQ(Refusal(Prepare(stranger)),
            "prepare dynamic resources: pod pod-stranger (stranger) is not allowed to use ResourceClaim a (a-uid)");
  EXPECT_EQ(Refusal(Prepare(unmade)),
            "prepare dynamic resources: pod \"default/pod-stranger\": ResourceClaim not created yet");
}

TEST_F(DraEmulatedFailuresTest, Until135AnAnswerWasAddedToTheOneBefore) {
  for (const char* kubelet : {"1.30", "1.31", "1.35", "1.36"}) {
    harness::DraNode node;
    node.drivers.Add("gpu");
    ASSERT_OK(node.Start(kubelet));
    const Pod pod = node.AddPod("pod", {node.AddClaim("a", {"gpu"})});
    ASSERT_OK(node.manager().PrepareResources(pod));
    node.Kill();
    ASSERT_OK(node.Start(kubelet));
    ASSERT_OK(node.manager().PrepareResources(pod));
    ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, node.manager().GetResources(pod, pod.containers[0]));
    const bool added = std::string_view(kubelet) == "1.31" || std::string_view(kubelet) == "1.35";
    EXPECT_THAT(options.cdi_device_ids, testing::SizeIs(added ? 2 : 1)) << kubelet;
  }
}

TEST_F(DraEmulatedFailuresTest, Until136NobodyReadWhatAClaimSaysOfCallsToSkip) {
  ClaimObject claim = harness::ClaimOf("quiet", {"gpu"});
  claim.allocation->results[0].skip_node_operations = {"*"};
  node_.claims.Set(claim);
  Start("1.36", {.optional_node_operations = true});
  EXPECT_OK(Unprepare(Prepared("pod", {"quiet"})));
  EXPECT_EQ(gpu_.script().CallCount(kPrepare), 1);
  node_.Kill();
  Start("1.36");
  EXPECT_OK(Prepare(node_.AddPod("again", {"quiet"})));
}

TEST_F(DraEmulatedFailuresTest, Until135AClaimOfThePodsGroupWasNotThePods) {
  ClaimObject claim = harness::ClaimOf("shared", {"gpu"});
  claim.reserved_for = {
      {.api_group = "scheduling.k8s.io", .resource = "podgroups", .name = "group", .uid = "group-uid"}};
  node_.claims.Set(claim);
  Pod pod = harness::PodUsing("pod", {"shared"});
  pod.scheduling_group = "group";
  node_.pods.Add("pod");
  Start("1.35", {.pod_group_claims = true});
  EXPECT_FALSE(Prepare(pod).ok());
  node_.Kill();
  Start("1.36", {.pod_group_claims = true});
  EXPECT_OK(Prepare(pod));
}

// At the same time, the other pod's driver would hardly ever be idle while the first is asked.
TEST_F(DraEmulatedFailuresTest, NoKubeletUnpreparesPodsThatAreGoneAtTheSameTime) {
  Start("1.37");
  ASSERT_TRUE(node_.clock.AwaitAlarms(1));
  for (int i = 1; i <= 20; ++i) {
    const std::string one = "one-" + std::to_string(i);
    const std::string two = "two-" + std::to_string(i);
    Prepared(one, {node_.AddClaim(one, {"gpu"})});
    Prepared(two, {node_.AddClaim(two, {"nic"})});
    gpu_.script().At(kUnprepare, i, {.held = true});
    node_.pods.Remove(one);
    node_.pods.Remove(two);
    const auto reconcile = node_.threads.Start("reconcile", [&] { node_.manager().Reconcile(); });
    ASSERT_OK(gpu_.script().WaitForCall(kUnprepare, i));
    EXPECT_EQ(nic_.script().CallCount(kUnprepare), i - 1);
    gpu_.script().Release(kUnprepare, i);
  }
  EXPECT_EQ(nic_.script().CallCount(kUnprepare), 20);
}

}  // namespace
}  // namespace kubelet_cm::dra
