#include "common/node/pod.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

Pod PodOfTwo() {
  return {.uid = "u",
          .namespace_name = "default",
          .name = "p",
          .containers = {{.name = "setup", .kind = ContainerKind::kInit}, {.name = "main"}},
          .extended_resource_claim = ExtendedResourceClaim{
              .object_name = "p-extended", .mappings = {{"main", "example.com/device", "container-0-request-0"}}}};
}

TEST(PodTest, ContainersAreFoundByNameWhateverTheirKind) {
  const Pod pod = PodOfTwo();
  ASSERT_NE(pod.FindContainer("setup"), nullptr);
  EXPECT_EQ(pod.FindContainer("setup")->kind, ContainerKind::kInit);
  ASSERT_NE(pod.FindContainer("main"), nullptr);
  EXPECT_EQ(pod.FindContainer("other"), nullptr);
}

TEST(PodTest, InALogItHasItsNamespaceAndName) {
  EXPECT_EQ(PodOfTwo().LogName(), "default/p");
  EXPECT_EQ((Pod{.uid = "u", .namespace_name = "", .name = "p"}).LogName(), "p");
}

TEST(PodTest, AClaimBacksOnlyTheContainerAndResourceOfItsMapping) {
  const Pod pod = PodOfTwo();
  EXPECT_TRUE(pod.BackedByClaim("main", "example.com/device"));
  EXPECT_FALSE(pod.BackedByClaim("setup", "example.com/device"));
  EXPECT_FALSE(pod.BackedByClaim("main", "example.com/other"));
  EXPECT_FALSE(Pod().BackedByClaim("main", "example.com/device"));
}

}  // namespace
}  // namespace kubelet_cm
