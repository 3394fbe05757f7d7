#include "kubelet_cm/podresources/pod_resources_rules.h"

#include <string>

#include "common/features/known_gates.h"
#include "common/status/status_matchers.h"

namespace kubelet_cm::podresources {
namespace {

using Method = PodResourcesRules::Method;

PodResourcesRules RulesOfVersion(const std::string& version, const std::string& gates = "") {
  return RulesOf(**ParsePersonality(version), *FeatureGates(KnownGates()).WithFlag(gates));
}

TEST(PodResourcesRulesTest, TheLatestServesEverything) {
  const PodResourcesRules rules = RulesOfVersion("latest");
  EXPECT_TRUE(rules.served && rules.v1 && rules.claims && rules.sidecars);
  EXPECT_TRUE(rules.lists_active && rules.gets_active && rules.rate_limited);
  EXPECT_EQ(rules.get, Method::kServed);
  EXPECT_EQ(rules.get_allocatable, Method::kServed);
}

TEST(PodResourcesRulesTest, OlderKubeletsHaveLess) {
  EXPECT_FALSE(RulesOfVersion("1.10").served);
  EXPECT_FALSE(RulesOfVersion("1.19").v1);
  EXPECT_EQ(RulesOfVersion("1.20").get_allocatable, Method::kMissing);
  EXPECT_EQ(RulesOfVersion("1.21").get_allocatable, Method::kServed);
  EXPECT_EQ(RulesOfVersion("1.26").get, Method::kMissing);
  EXPECT_FALSE(RulesOfVersion("1.26").claims);
  EXPECT_FALSE(RulesOfVersion("1.26").rate_limited);
  EXPECT_FALSE(RulesOfVersion("1.28").sidecars);
  EXPECT_TRUE(RulesOfVersion("1.30").sidecars);
  EXPECT_FALSE(RulesOfVersion("1.33").lists_active);
  EXPECT_FALSE(RulesOfVersion("1.34").gets_active);
}

TEST(PodResourcesRulesTest, GatesTurnOffWhatAKubeletHas) {
  const PodResourcesRules rules = RulesOfVersion("latest", "KubeletPodResourcesListUseActivePods=false");
  EXPECT_FALSE(rules.lists_active);
  EXPECT_TRUE(rules.gets_active);
}

}  // namespace
}  // namespace kubelet_cm::podresources
