// A pod's way through the container manager, with both managers behind it and plugins and drivers in memory.
// container_manager_test_restart is the same with a kill and a start after each admission and each preparation.
#include "kubelet_cm/admission/container_manager.h"

#include <cerrno>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "common/filesystem/atomic_write.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using fakes::PluginMethod;
using harness::PodNode;
using harness::PodUsing;
using harness::PodWith;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";

class ContainerManagerTest : public ::testing::Test {
 protected:
  ContainerManagerTest() { EXPECT_OK(node_.Start()); }

  SharedPodRecord Admit(const Pod& pod) {
    absl::StatusOr<SharedPodRecord> record = node_.manager().AdmitPod(pod, PodSource::kApi);
    EXPECT_OK(record);
    EXPECT_OK(node_.MaybeRestart());
    return *record;
  }
  std::optional<Refusal> Prepare(const PodName& pod) {
    const absl::StatusOr<std::optional<Refusal>> refusal = node_.manager().PreparePod(pod);
    EXPECT_OK(refusal);
    EXPECT_OK(node_.MaybeRestart());
    return *refusal;
  }
  void Restart() {
    node_.Kill();
    ASSERT_OK(node_.Start());
  }
  PodPhase PhaseOf(const std::string& uid) { return node_.pods().Find(uid)->phase; }
  // A pod that uses the claim "claim" of the driver "gpu", and a device.
  Pod FullPod() {
    node_.drivers.Add("gpu");
    node_.AddClaim("claim", {"gpu"}, "a");
    EXPECT_OK(node_.RunPlugin(kResource));
    Pod pod = PodUsing("a", {"claim"});
    pod.containers[0].limits = {{kResource, 1}};
    return pod;
  }

  PodNode node_;
  const PodName a_{.uid = "a"};
};

TEST_F(ContainerManagerTest, AnAdmittedPodHasItsDevices) {
  node_.NoRestart("events are those since the start");
  ASSERT_OK(node_.RunPlugin(kResource));
  EXPECT_EQ(Admit(PodWith("a", {{kResource, 1}}))->phase, PodPhase::kAdmitted);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
  EXPECT_THAT(node_.EventKinds(), ElementsAre("PodAdmitted"));
}

TEST_F(ContainerManagerTest, APodThatCannotHaveItsDevicesIsRefusedInTheKubeletsWords) {
  node_.NoRestart("events are those since the start");
  ASSERT_OK(node_.RunPlugin(kResource));
  const SharedPodRecord refused = Admit(PodWith("a", {{kResource, 3}}));
  EXPECT_EQ(refused->phase, PodPhase::kRefused);
  EXPECT_EQ(refused->reason, "UnexpectedAdmissionError");
  EXPECT_EQ(refused->message,
            "Allocate failed due to requested number of devices unavailable for example.com/device. Requested: 3, "
            "Available: 2, which is unexpected");
  EXPECT_THAT(node_.EventKinds(), ElementsAre("PodRefused"));
}

TEST_F(ContainerManagerTest, ARefusedPodHoldsNothingAndCanBeAdmittedLater) {
  ASSERT_OK(node_.RunPlugin(kResource));
  Admit(PodWith("other", {{kResource, 2}}));
  EXPECT_EQ(Admit(PodWith("a", {{kResource, 1}}))->phase, PodPhase::kRefused);
  ASSERT_OK(node_.manager().RemovePod({.uid = "other"}, false));
  EXPECT_EQ(Admit(PodWith("a", {{kResource, 1}}))->phase, PodPhase::kAdmitted);
}

TEST_F(ContainerManagerTest, AdmittingAgainAsksNoPlugin) {
  ASSERT_OK(node_.RunPlugin(kResource));
  const Pod pod = PodWith("a", {{kResource, 1}});
  EXPECT_EQ(Admit(pod)->phase, PodPhase::kAdmitted);
  EXPECT_EQ(Admit(pod)->phase, PodPhase::kAdmitted);
  EXPECT_EQ(node_.plugin(kResource).script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(ContainerManagerTest, AnotherSpecificationUnderTheSameUidIsRefused) {
  Admit(PodWith("a", {}));
  EXPECT_THAT(node_.manager().AdmitPod(PodWith("a", {{"cpu", 1}}), PodSource::kApi),
              StatusIs(absl::StatusCode::kAlreadyExists));
}

TEST_F(ContainerManagerTest, AUidThatIsAPathChangesNothing) {
  EXPECT_THAT(node_.manager().AdmitPod(PodWith("../a", {}), PodSource::kApi),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(node_.pods().All(), IsEmpty());
}

TEST_F(ContainerManagerTest, ADrainedNodeAdmitsNobodyAndKeepsWhoIsThere) {
  Admit(PodWith("a", {}));
  node_.manager().Drain();
  EXPECT_THAT(node_.manager().AdmitPod(PodWith("b", {}), PodSource::kApi), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_OK(node_.manager().PreparePod(a_));
}

TEST_F(ContainerManagerTest, ClaimsArePreparedAndComeFirstInWhatAContainerGets) {
  Admit(FullPod());
  const std::optional<Refusal> failed = Prepare(a_);
  EXPECT_EQ(failed, std::nullopt);
  EXPECT_EQ(PhaseOf("a"), PodPhase::kPrepared);
  ASSERT_OK_AND_ASSIGN(const StartOptions options, node_.manager().ContainerOptions(a_, "main"));
  EXPECT_THAT(options.claims.cdi_device_ids, SizeIs(1));
  EXPECT_EQ(options.devices.envs.at("FAKE_DEVICES"), "dev-0");
  EXPECT_EQ(node_.log.Count("Determined CDI devices for pod"), 1u);
}

TEST_F(ContainerManagerTest, AContainerIsNotStartedBeforeItsClaimsArePrepared) {
  Admit(FullPod());
  EXPECT_THAT(node_.manager().ContainerOptions(a_, "main"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not prepared yet")));
}

TEST_F(ContainerManagerTest, AContainerIsNotStartedWithoutWhatAClaimGaveItOnce) {
  Admit(FullPod());
  ASSERT_EQ(Prepare(a_), std::nullopt);
  node_.Kill();
  // The pod was prepared in this boot, and of what drivers made nothing is there any more.
  ASSERT_OK(AtomicWrite(node_.disk, node_.random, "/var/lib/kubelet/kubelet_cm_boot_id", "another", 0600));
  ASSERT_OK(node_.Start());
  ASSERT_EQ(PhaseOf("a"), PodPhase::kPrepared);
  EXPECT_THAT(node_.manager().ContainerOptions(a_, "main"),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("claim that is not prepared: claim")));
  ASSERT_OK(node_.RegisterAgain(kResource));
  ASSERT_EQ(Prepare(a_), std::nullopt);
  EXPECT_THAT(node_.manager().ContainerOptions(a_, "main")->claims.cdi_device_ids, SizeIs(1));
}

TEST_F(ContainerManagerTest, ClaimsThatCannotBePreparedAreToldInTheKubeletsWordsAndTriedAgain) {
  Admit(FullPod());
  node_.drivers.Leave("gpu");
  const std::optional<Refusal> failed = Prepare(a_);
  ASSERT_TRUE(failed.has_value());
  EXPECT_EQ(failed->reason, "FailedPrepareDynamicResources");
  EXPECT_EQ(failed->message,
            "Failed to prepare dynamic resources: prepare dynamic resources: DRA driver gpu is not registered");
  EXPECT_EQ(PhaseOf("a"), PodPhase::kAdmitted);
  node_.drivers.ComeBack("gpu");
  EXPECT_EQ(Prepare(a_), std::nullopt);
}

TEST_F(ContainerManagerTest, AKubeletWithoutDraRefusesToPrepareClaims) {
  node_.Kill();
  ASSERT_OK(node_.Start({.dra = false}));
  Admit(FullPod());
  const std::optional<Refusal> failed = Prepare(a_);
  EXPECT_THAT(failed->message, HasSubstr("no dynamic resource allocation"));
}

TEST_F(ContainerManagerTest, ContainersThatThePodDoesNotHaveAreNotFound) {
  Admit(PodWith("a", {}));
  EXPECT_THAT(node_.manager().ContainerOptions(a_, "other"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(node_.manager().ContainerStarted(a_, "other"), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(node_.manager().ContainerStarted({.uid = "b"}, "main"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ContainerManagerTest, AfterAKillEverythingIsAsItWas) {
  Admit(FullPod());
  ASSERT_EQ(Prepare(a_), std::nullopt);
  ASSERT_OK(node_.manager().ContainerStarted(a_, "main"));
  Restart();
  EXPECT_EQ(PhaseOf("a"), PodPhase::kPrepared);
  EXPECT_THAT(node_.pods().Find("a")->running, ElementsAre("main"));
  ASSERT_OK_AND_ASSIGN(const StartOptions options, node_.manager().ContainerOptions(a_, "main"));
  EXPECT_EQ(options.devices.envs.at("FAKE_DEVICES"), "dev-0");
  EXPECT_THAT(options.claims.cdi_device_ids, SizeIs(1));
}

TEST_F(ContainerManagerTest, AContainerThatExitedIsNotRunningAfterAKill) {
  Admit(PodWith("a", {}));
  ASSERT_OK(node_.manager().ContainerStarted(a_, "main"));
  ASSERT_OK(node_.manager().ContainerExited(a_, "main"));
  Restart();
  EXPECT_THAT(node_.pods().Find("a")->running, IsEmpty());
}

TEST_F(ContainerManagerTest, AfterABootAPodHasToBeAdmittedAgainAndKeepsItsDevicesMeanwhile) {
  ASSERT_OK(node_.RunPlugin(kResource));
  const Pod pod = PodWith("a", {{kResource, 1}});
  Admit(pod);
  ASSERT_OK(node_.manager().ContainerStarted(a_, "main"));
  node_.Kill();
  node_.Boot();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(PhaseOf("a"), PodPhase::kRestored);
  EXPECT_THAT(node_.manager().ContainerOptions(a_, "main"), StatusIs(absl::StatusCode::kFailedPrecondition));
  ASSERT_OK(node_.RegisterAgain(kResource));
  EXPECT_EQ(Admit(PodWith("b", {{kResource, 2}}))->phase, PodPhase::kRefused);
  EXPECT_EQ(Admit(pod)->phase, PodPhase::kAdmitted);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(ContainerManagerTest, AfterABootAPodWhosePluginIsNotBackIsRefusedForGood) {
  ASSERT_OK(node_.RunPlugin(kResource));
  const Pod pod = PodWith("a", {{kResource, 1}});
  Admit(pod);
  node_.Kill();
  node_.Boot();
  ASSERT_OK(node_.Start());
  EXPECT_EQ(Admit(pod)->message,
            "Allocate failed due to no healthy devices present; cannot allocate unhealthy devices example.com/device, "
            "which is unexpected");
  Restart();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
}

TEST_F(ContainerManagerTest, ARemovedPodIsUnpreparedAndItsDevicesAreFree) {
  node_.NoRestart("events are those since the start");
  Admit(FullPod());
  ASSERT_EQ(Prepare(a_), std::nullopt);
  ASSERT_OK_AND_ASSIGN(const ContainerManager::Removal removal, node_.manager().RemovePod(a_, false));
  EXPECT_TRUE(removal.removed);
  EXPECT_FALSE(node_.claims_manager().PodMightNeedToUnprepare("a"));
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
  EXPECT_THAT(node_.EventKinds(), ElementsAre("PodAdmitted", "PodPrepared", "PodTerminating", "PodRemoved"));
  EXPECT_TRUE(node_.manager().RemovePod(a_, false)->removed);
}

TEST_F(ContainerManagerTest, APodWhoseDriverIsGoneStaysUntilItIsBack) {
  Admit(FullPod());
  ASSERT_EQ(Prepare(a_), std::nullopt);
  node_.drivers.Leave("gpu");
  ASSERT_OK_AND_ASSIGN(const ContainerManager::Removal removal, node_.manager().RemovePod(a_, false));
  EXPECT_FALSE(removal.removed);
  EXPECT_THAT(removal.message, HasSubstr("DRA driver gpu is not registered"));
  Restart();
  EXPECT_EQ(PhaseOf("a"), PodPhase::kTerminating);
  EXPECT_THAT(node_.manager().AdmitPod(*node_.pods().Find("a")->pod, PodSource::kApi),
              StatusIs(absl::StatusCode::kFailedPrecondition));
  node_.drivers.ComeBack("gpu");
  node_.manager().RetryTerminations();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
}

TEST_F(ContainerManagerTest, AnotherPodUnderATerminatingOnesUidIsNotTerminatedInItsPlace) {
  for (const std::string& name : {std::string("a"), std::string("b")}) {
    node_.drivers.Add("driver-" + name);
    node_.AddClaim("claim-" + name, {"driver-" + name}, name);
    Admit(PodUsing(name, {"claim-" + name}));
    ASSERT_EQ(Prepare({.uid = name}), std::nullopt);
    node_.drivers.Leave("driver-" + name);
    ASSERT_OK(node_.manager().RemovePod({.uid = name}, false));
    node_.drivers.ComeBack("driver-" + name);
  }
  node_.NoRestart("a retry is under way");
  // The retry knows of both pods when it begins with the first.
  fakes::ScriptedDriver& driver = node_.drivers.driver("driver-a");
  driver.script().At(fakes::DriverMethod::kUnprepare, 1, {.held = true});
  std::unique_ptr<Thread> retry =
      node_.threads.Start("retry", [manager = &node_.manager()] { manager->RetryTerminations(); });
  ASSERT_OK(driver.script().WaitForCall(fakes::DriverMethod::kUnprepare, 1));
  ASSERT_OK(node_.manager().RemovePod({.uid = "b"}, true));
  EXPECT_EQ(Admit(PodWith("b", {}))->phase, PodPhase::kAdmitted);
  driver.script().Release(fakes::DriverMethod::kUnprepare, 1);
  retry.reset();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  ASSERT_NE(node_.pods().Find("b"), nullptr);
  EXPECT_EQ(PhaseOf("b"), PodPhase::kAdmitted);
}

TEST_F(ContainerManagerTest, AForceDeletedPodIsGoneAtOnceAndItsClaimIsUnpreparedLater) {
  Admit(FullPod());
  ASSERT_EQ(Prepare(a_), std::nullopt);
  ASSERT_OK(node_.manager().RemovePod(a_, true));
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
  EXPECT_TRUE(node_.claims_manager().PodMightNeedToUnprepare("a"));
  node_.claims_manager().Reconcile();
  EXPECT_FALSE(node_.claims_manager().PodMightNeedToUnprepare("a"));
}

TEST_F(ContainerManagerTest, APodThatCannotBeRememberedIsRefusedAndHoldsNothing) {
  ASSERT_OK(node_.RunPlugin(kResource));
  node_.NoRestart("nothing starts on a disk that fails");
  node_.faults.Arm({.path_pattern = "/kubelet_cm/pods", .persistent = true, .error = ENOSPC});
  const SharedPodRecord refused = Admit(PodWith("a", {{kResource, 1}}));
  EXPECT_EQ(refused->phase, PodPhase::kRefused);
  EXPECT_THAT(refused->message, HasSubstr("cannot be remembered"));
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
