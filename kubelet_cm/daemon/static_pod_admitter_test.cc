// static_pod_admitter_test_restart is the same with a kill and a start after most of what the admitter is told.
#include "kubelet_cm/daemon/static_pod_admitter.h"

#include <cerrno>
#include <map>
#include <optional>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/pod_node.h"
#include "testing/harness/restart_twin.h"

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
    admitter_.emplace(node_.manager(), node_.pods(), node_.log);
  }
  // What the folder of manifests tells the admitter; after a restart it tells the next one of all that lies there.
  void Appears(const PodManifest& manifest) {
    folder_[manifest.pod.uid] = manifest;
    admitter_->OnPod(manifest);
    MaybeRestart();
  }
  void LooksWhole() {
    admitter_->OnLooked(true);
    MaybeRestart();
  }
  void MaybeRestart() {
    ASSERT_OK(node_.MaybeRestart());
    if (harness::IsRestartTwin()) BeginAgain();
  }
  void Restart() {
    node_.Kill();
    ASSERT_OK(node_.Start());
    BeginAgain();
  }
  void BeginAgain() {
    admitter_.emplace(node_.manager(), node_.pods(), node_.log);
    for (const auto& [uid, manifest] : folder_) admitter_->OnPod(manifest);
    admitter_->OnReady();
  }
  static PodManifest ManifestOf(const std::string& uid, int devices) {
    return {.pod = PodWith(uid, {{kResource, devices}})};
  }

  PodNode node_;
  std::map<std::string, PodManifest> folder_;  // by uid
  std::optional<StaticPodAdmitter> admitter_;
};

TEST_F(StaticPodAdmitterTest, APodThatAppearsIsAdmittedAndPrepared) {
  Appears(ManifestOf("a", 1));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  EXPECT_EQ(node_.pods().Find("a")->source, PodSource::kFolder);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, APodThatVanishesIsRemoved) {
  Appears(ManifestOf("a", 1));
  admitter_->OnPodGone("a");  // and no restart: what it held is free when the next kubelet has looked for leftovers
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  EXPECT_THAT(node_.Devices("a", kResource), IsEmpty());
}

TEST_F(StaticPodAdmitterTest, APodThatChangesUnderItsUidStartsAgain) {
  Appears(ManifestOf("a", 1));
  Appears(ManifestOf("a", 2));
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0", "dev-1"));
}

TEST_F(StaticPodAdmitterTest, APodThatIsRefusedIsKeptAsRefused) {
  Appears(ManifestOf("a", 3));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kRefused);
}

TEST_F(StaticPodAdmitterTest, ClaimsThatCouldNotBePreparedAreTriedAgain) {
  Appears({.pod = PodUsing("a", {"claim"})});
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kAdmitted);
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  LooksWhole();
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  LooksWhole();
  EXPECT_EQ(node_.drivers.driver("gpu").script().CallCount(fakes::DriverMethod::kPrepare), 1);
}

TEST_F(StaticPodAdmitterTest, AManifestThatChangedWhileItsPodIsTerminatingIsAdmittedAfterwards) {
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  Appears({.pod = PodUsing("a", {"claim"})});
  node_.drivers.Leave("gpu");
  Appears(ManifestOf("a", 1));
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kTerminating);
  node_.drivers.ComeBack("gpu");
  node_.manager().RetryTerminations();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  LooksWhole();
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, ARemovalThatFailsIsTriedAgain) {
  Appears(ManifestOf("a", 1));
  node_.faults.Arm({.path_pattern = "/kubelet_cm/pods", .error = ENOSPC});
  // No restart from here on: the next one would remove it only after it has seen the whole folder.
  admitter_->OnPodGone("a");
  EXPECT_NE(node_.pods().Find("a"), nullptr);
  admitter_->OnLooked(false);
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
}

TEST_F(StaticPodAdmitterTest, ARefusedPodIsNotTriedAgain) {
  Appears(ManifestOf("a", 3));
  const SharedPodRecord refused = node_.pods().Find("a");
  admitter_->OnLooked(true);  // and no restart: the next one tries it
  EXPECT_EQ(node_.pods().Find("a"), refused);
}

TEST_F(StaticPodAdmitterTest, APodWhoseManifestIsBrokenAtARestartIsKeptUntilThatIsMended) {
  Appears(ManifestOf("a", 1));
  folder_.clear();
  Restart();
  admitter_->OnLooked(/*whole=*/false);
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
  Appears(ManifestOf("a", 1));
  LooksWhole();
  EXPECT_THAT(node_.Devices("a", kResource), ElementsAre("dev-0"));
}

TEST_F(StaticPodAdmitterTest, WhatVanishedWhileNobodyLookedIsRemovedWhenTheFolderIsWhole) {
  Appears(ManifestOf("a", 1));
  Appears(ManifestOf("b", 1));
  ASSERT_OK(node_.manager().AdmitPod(PodWith("api", {}), PodSource::kApi));
  folder_.erase("a");
  Restart();
  EXPECT_NE(node_.pods().Find("a"), nullptr);
  LooksWhole();
  EXPECT_EQ(node_.pods().Find("a"), nullptr);
  EXPECT_NE(node_.pods().Find("b"), nullptr);
  EXPECT_NE(node_.pods().Find("api"), nullptr);
}

}  // namespace
}  // namespace kubelet_cm
