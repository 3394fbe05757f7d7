#include "testing/harness/dra_node.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using testing::ElementsAre;

TEST(DraNodeTest, DriversAndTheDiskOutliveTheManager) {
  DraNode node;
  node.drivers.Add("gpu");
  ASSERT_OK(node.Start());
  const Pod pod = node.AddPod("pod", {node.AddClaim("claim", {"gpu"})});
  ASSERT_OK(node.manager().PrepareResources(pod));
  node.Kill();
  ASSERT_OK(node.Start());
  EXPECT_THAT(node.drivers.driver("gpu").PreparedClaims(), ElementsAre("claim-uid"));
  EXPECT_TRUE(node.manager().PodMightNeedToUnprepare("pod"));
}

TEST(DraNodeTest, ADeadManagerReachesNeitherTheDiskNorADriver) {
  DraNode node;
  node.drivers.Add("gpu");
  ASSERT_OK(node.Start());
  const Pod pod = node.AddPod("pod", {node.AddClaim("claim", {"gpu"})});
  const std::string file = node.StateFile();
  node.Cut();
  EXPECT_FALSE(node.manager().PrepareResources(pod).ok());
  EXPECT_EQ(node.StateFile(), file);
  EXPECT_EQ(node.drivers.driver("gpu").script().CallCount(fakes::DriverMethod::kPrepare), 0);
}

}  // namespace
}  // namespace kubelet_cm::harness
