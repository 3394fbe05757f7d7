// pod_resources_feed_test_restart is the same with a kill and a start after a pod has what it asked for.
#include "kubelet_cm/daemon/pod_resources_feed.h"

#include <string>
#include <vector>

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
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";

std::vector<std::string> NamesOf(const PodResourcesFeed::Pods& pods) {
  std::vector<std::string> names;
  for (const auto& pod : pods) names.push_back(pod->name);
  return names;
}

class PodResourcesFeedTest : public ::testing::Test {
 protected:
  PodResourcesFeedTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource));
  }
  PodResourcesFeed MakeFeed() { return {node_.pods(), node_.devices(), &node_.claims_manager()}; }

  PodNode node_;
};

TEST_F(PodResourcesFeedTest, ARefusedPodIsNotActiveAndIsStillOneOfAll) {
  ASSERT_OK(node_.manager().AdmitPod(PodWith("a", {{kResource, 1}}), PodSource::kApi));
  ASSERT_OK(node_.MaybeRestart());
  ASSERT_OK(node_.manager().AdmitPod(PodWith("b", {{kResource, 9}}), PodSource::kApi));
  EXPECT_THAT(NamesOf(MakeFeed().ActivePods()), ElementsAre("pod-a"));
  EXPECT_THAT(NamesOf(MakeFeed().AllPods()), ElementsAre("pod-a", "pod-b"));
}

TEST_F(PodResourcesFeedTest, APodOfWhichNothingButTheUidIsKnownIsLeftOut) {
  {
    const PodTable::Turn turn(node_.pods(), "unknown");
    node_.pods().Put(turn, {.pod = std::make_shared<const Pod>(Pod{.uid = "unknown", .namespace_name = "", .name = ""}),
                            .phase = PodPhase::kRestored});
  }
  EXPECT_THAT(MakeFeed().ActivePods(), IsEmpty());
  EXPECT_THAT(MakeFeed().AllPods(), IsEmpty());
}

TEST_F(PodResourcesFeedTest, DevicesAndClaimsAreTheManagers) {
  node_.drivers.Add("gpu");
  node_.AddClaim("claim", {"gpu"}, "a");
  Pod pod = PodUsing("a", {"claim"});
  pod.containers[0].limits = {{kResource, 1}};
  ASSERT_OK(node_.manager().AdmitPod(pod, PodSource::kApi));
  ASSERT_OK(node_.manager().PreparePod({.uid = "a"}));
  ASSERT_OK(node_.MaybeRestart());
  PodResourcesFeed feed = MakeFeed();
  EXPECT_THAT(feed.DevicesOf(pod, pod.containers[0]).at(kResource), SizeIs(1));
  EXPECT_THAT(feed.AllocatableDevices().at(kResource), SizeIs(2));
  ASSERT_OK_AND_ASSIGN(const auto claims, feed.ClaimsOf(pod, pod.containers[0]));
  ASSERT_THAT(claims, SizeIs(1));
  EXPECT_EQ(claims[0].claim_name, "claim");
}

TEST_F(PodResourcesFeedTest, WithoutDraThereAreNoClaims) {
  PodResourcesFeed feed(node_.pods(), node_.devices(), nullptr);
  const Pod pod = PodUsing("a", {"claim"});
  EXPECT_THAT(*feed.ClaimsOf(pod, pod.containers[0]), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm
