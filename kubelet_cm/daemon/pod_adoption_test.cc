#include "kubelet_cm/daemon/pod_adoption.h"

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

constexpr char kResource[] = "example.com/device";

class PodAdoptionTest : public ::testing::Test {
 protected:
  PodAdoptionTest() { EXPECT_OK(node_.Start()); }

  void Admit(const Pod& pod) {
    ASSERT_OK(node_.manager().AdmitPod(pod, PodSource::kApi));
    ASSERT_OK(node_.manager().PreparePod({.uid = pod.uid}));
  }
  // A table that has never heard of the node's pods.
  size_t AdoptInto(PodTable& table) {
    return AdoptUnknownPods(node_.devices(), &node_.claims_manager(), node_.clock.WallNow(), table);
  }

  PodNode node_;
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
