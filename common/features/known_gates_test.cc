#include "common/features/known_gates.h"

#include <set>
#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(KnownGatesTest, NamesAreUnique) {
  std::set<absl::string_view> names;
  for (const FeatureGate& gate : KnownGates()) EXPECT_TRUE(names.insert(gate.name).second) << gate.name;
}

TEST(KnownGatesTest, AlphaGatesAreOffUnlessAskedFor) {
  const FeatureGates defaults(KnownGates());
  for (const FeatureGate& gate : KnownGates()) {
    EXPECT_FALSE(gate.stage == FeatureStage::kAlpha && defaults.Enabled(gate.name)) << gate.name;
  }
}

TEST(KnownGatesTest, BetaGatesThatUpstreamLeavesOffAreOff) {
  const FeatureGates defaults(KnownGates());
  EXPECT_FALSE(defaults.Enabled(kDRAWorkloadResourceClaims));
  EXPECT_FALSE(defaults.Enabled(kPodLevelResourceManagers));
  EXPECT_TRUE(defaults.Enabled(kResourceHealthStatus));
  EXPECT_TRUE(defaults.Enabled(kDRAConsumableCapacity));
}

TEST(KnownGatesTest, PodResourcesMethodsCanStillBeSwitchedOff) {
  ASSERT_OK_AND_ASSIGN(
      const FeatureGates gates,
      FeatureGates(KnownGates()).WithFlag("KubeletPodResourcesGet=false,KubeletPodResourcesListUseActivePods=false"));
  EXPECT_FALSE(gates.Enabled(kKubeletPodResourcesGet));
  EXPECT_FALSE(gates.Enabled(kKubeletPodResourcesListUseActivePods));
}

TEST(KnownGatesTest, DynamicResourceAllocationIsLocked) {
  EXPECT_THAT(FeatureGates(KnownGates()).WithFlag("DynamicResourceAllocation=false"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "cannot set feature gate DynamicResourceAllocation to false, feature is locked to true"));
}

}  // namespace
}  // namespace kubelet_cm
