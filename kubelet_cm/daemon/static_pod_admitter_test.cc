#include "kubelet_cm/daemon/static_pod_admitter.h"

#include <cerrno>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using harness::PodNode;
using harness::PodUsing;
using harness::PodWith;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

class StaticPodAdmitterTest : public ::testing::Test {
 protected:
  StaticPodAdmitterTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource));
  }
  StaticPodAdmitter MakeAdmitter() { return {node_.manager(), node_.pods(), node_.log}; }
  static PodManifest ManifestOf(const std::string& uid, int devices) {
    return {.pod = PodWith(uid, {{kResource, devices}})};
  }

  PodNode node_;
};

TEST_F(StaticPodAdmitterTest, APodThatAppearsIsAdmittedAndPrepared) {
  MakeAdmitter().OnPod(ManifestOf("a", 1));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  EXPECT_EQ(node_.pods().Find("a")->source, PodSource::kFolder);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, APodThatVanishesIsRemoved) {
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod(ManifestOf("a", 1));
  admitter.OnPodGone("a");
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
}

TEST_F(StaticPodAdmitterTest, APodThatChangesUnderItsUidStartsAgain) {
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod(ManifestOf("a", 1));
  admitter.OnPod(ManifestOf("a", 2));
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0", "dev-1"));
}

TEST_F(StaticPodAdmitterTest, APodThatIsRefusedIsKeptAsRefused) {
  MakeAdmitter().OnPod(ManifestOf("a", 3));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kRefused);
}

TEST_F(StaticPodAdmitterTest, ClaimsThatCouldNotBePreparedAreTriedAgain) {
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod({.pod = PodUsing("a", {"claim"})});
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kAdmitted);
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  admitter.OnLooked(true);
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  admitter.OnLooked(true);
  EXPECT_EQ(node_.drivers.driver("gpu").script().CallCount(fakes::DriverMethod::kPrepare), 1);
}

TEST_F(StaticPodAdmitterTest, AManifestThatChangedWhileItsPodIsTerminatingIsAdmittedAfterwards) {
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod({.pod = PodUsing("a", {"claim"})});
  node_.drivers.Leave("gpu");
  admitter.OnPod(ManifestOf("a", 1));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kTerminating);
  node_.drivers.ComeBack("gpu");
  node_.manager().RetryTerminations();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  admitter.OnLooked(true);
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, ARemovalThatFailsIsTriedAgain) {
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod(ManifestOf("a", 1));
  node_.faults.Arm({.path_pattern = "/kubelet_cm/pods", .error = ENOSPC});
  admitter.OnPodGone("a");
  EXPECT_NE(node_.pods().Find("a"), nullptr);
  admitter.OnLooked(false);
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
}

TEST_F(StaticPodAdmitterTest, ARefusedPodIsNotTriedAgain) {
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod(ManifestOf("a", 3));
  const SharedPodRecord refused = node_.pods().Find("a");
  admitter.OnLooked(true);
  EXPECT_EQ(node_.pods().Find("a"), refused);
}

TEST_F(StaticPodAdmitterTest, APodWhoseManifestIsBrokenAtARestartIsKeptUntilThatIsMended) {
  MakeAdmitter().OnPod(ManifestOf("a", 1));
  node_.Kill();
  ASSERT_OK(node_.Start());
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnReady();
  admitter.OnLooked(/*whole=*/false);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
  admitter.OnPod(ManifestOf("a", 1));
  admitter.OnLooked(/*whole=*/true);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, WhatVanishedWhileNobodyLookedIsRemovedWhenTheFolderIsWhole) {
  {
    StaticPodAdmitter admitter = MakeAdmitter();
    admitter.OnPod(ManifestOf("a", 1));
    admitter.OnPod(ManifestOf("b", 1));
    ASSERT_OK(node_.manager().AdmitPod(PodWith("api", {}), PodSource::kApi));
  }
  node_.Kill();
  ASSERT_OK(node_.Start());
  StaticPodAdmitter admitter = MakeAdmitter();
  admitter.OnPod(ManifestOf("b", 1));
  EXPECT_NE(node_.pods().Find("a"), nullptr);
  admitter.OnReady();
  admitter.OnLooked(/*whole=*/true);
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  EXPECT_NE(node_.pods().Find("b"), nullptr);
  EXPECT_NE(node_.pods().Find("api"), nullptr);
}

}  // namespace
}  // namespace kubelet_cm
