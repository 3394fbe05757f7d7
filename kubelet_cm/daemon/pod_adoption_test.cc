// pod_adoption_test_restart is the same with a kill and a start after each pod was admitted and prepared.
#include "kubelet_cm/daemon/pod_adoption.h"

#include <memory>
#include <string>

#include "common/filesystem/fake_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/pods/pod_store.h"
#include "testing/harness/device_node.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using harness::PodNode;
using harness::PodUsing;
using harness::PodWith;
using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";

class PodAdoptionTest : public ::testing::Test {
 protected:
  PodAdoptionTest() { EXPECT_OK(node_.Start()); }

  void Admit(const Pod& pod) {
    ASSERT_OK(node_.manager().AdmitPod(pod, PodSource::kApi));
    ASSERT_OK(node_.manager().PreparePod({.uid = pod.uid}));
    ASSERT_OK(node_.MaybeRestart());
  }
  // A table that has never heard of the node's pods.
  size_t AdoptInto(PodTable& table) {
    auto store = OpenStore();
    const auto adoption =
        AdoptUnknownPods(node_.devices(), &node_.claims_manager(), node_.clock.WallNow(), table, *store);
    EXPECT_OK(adoption);
    return adoption->adopted;
  }
  // On a disk of its own.
  std::unique_ptr<PodStore> OpenStore() {
    auto store = PodStore::New(files_, random_, {.folder = "/pods", .boot_id = "boot"});
    EXPECT_OK(store);
    return *std::move(store);
  }

  PodNode node_;
  FakeFileSystem files_;
  SeededRandom random_{1};
  PodTable empty_{node_.threads, {}};
};

TEST_F(PodAdoptionTest, APodThatHoldsADeviceIsRestoredWithTheContainersThatDo) {
  ASSERT_OK(node_.RunPlugin(kResource));
  Admit(PodWith("a", {{kResource, 1}}));
  EXPECT_EQ(AdoptInto(empty_), 1);
  const SharedPodRecord adopted = empty_.Find("a");
  ASSERT_NE(adopted, nullptr);
  EXPECT_EQ(adopted->phase, PodPhase::kRestored);
  EXPECT_EQ(adopted->source, PodSource::kStateFile);
  EXPECT_NE(adopted->pod->FindContainer("main"), nullptr);
}

TEST_F(PodAdoptionTest, WhatWasAdoptedIsRememberedEvenAfterAPowerCut) {
  ASSERT_OK(node_.RunPlugin(kResource));
  Admit(PodWith("a", {{kResource, 1}}));
  ASSERT_EQ(AdoptInto(empty_), 1);
  ASSERT_OK_AND_ASSIGN(const auto disks, files_.AfterPowerCut());
  for (const auto& disk : disks) {
    ASSERT_OK_AND_ASSIGN(const auto store, PodStore::New(*disk, random_, {.folder = "/pods", .boot_id = "boot"}));
    ASSERT_OK_AND_ASSIGN(const PodStore::Loaded loaded, store->Load(node_.threads));
    ASSERT_THAT(loaded.records, SizeIs(1));
    EXPECT_EQ(loaded.records[0].record.pod->uid, "a");
    EXPECT_EQ(loaded.records[0].record.phase, PodPhase::kRestored);
  }
}

TEST_F(PodAdoptionTest, APodWhoseUidCannotBeAFilesNameIsAdoptedAndToldOf) {
  ASSERT_OK(node_.RunPlugin(kResource));
  const Pod odd = PodWith("a/b", {{kResource, 1}});
  {
    const PodTable::Turn turn(node_.pods(), odd.uid);
    node_.pods().Put(turn, {.pod = std::make_shared<const Pod>(odd)});
  }
  ASSERT_OK(node_.devices().AllocatePod(odd));
  ASSERT_OK_AND_ASSIGN(const Adoption adoption,
                       AdoptUnknownPods(node_.devices(), nullptr, node_.clock.WallNow(), empty_, *OpenStore()));
  EXPECT_EQ(adoption.adopted, 1);
  EXPECT_THAT(adoption.unsaved, ElementsAre("a/b"));
  EXPECT_NE(empty_.Find("a/b"), nullptr);
}

TEST_F(PodAdoptionTest, APodThatReferencesAClaimIsRestoredInTheClaimsNamespace) {
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  Admit(PodUsing("a", {"claim"}));
  EXPECT_EQ(AdoptInto(empty_), 1);
  EXPECT_EQ(empty_.Find("a")->pod->namespace_name, "default");
}

TEST_F(PodAdoptionTest, PodsThatAreKnownAndPodsThatHoldNothingAreLeftAlone) {
  ASSERT_OK(node_.RunPlugin(kResource));
  Admit(PodWith("a", {{kResource, 1}}));
  Admit(PodWith("b", {}));
  EXPECT_EQ(AdoptInto(node_.pods()), 0);
  EXPECT_EQ(node_.pods().Find("a")->phase, PodPhase::kPrepared);
  EXPECT_EQ(AdoptInto(empty_), 1);
  EXPECT_EQ(empty_.Find("b"), nullptr);
}

}  // namespace
}  // namespace kubelet_cm
