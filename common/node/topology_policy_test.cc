#include "common/node/topology_policy.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(TopologyPolicyTest, PoliciesHaveTheNamesOfTheFlag) {
  EXPECT_THAT(ParseTopologyPolicy("none"), IsOkAndHolds(TopologyPolicy::kNone));
  EXPECT_THAT(ParseTopologyPolicy("best-effort"), IsOkAndHolds(TopologyPolicy::kBestEffort));
  EXPECT_THAT(ParseTopologyPolicy("restricted"), IsOkAndHolds(TopologyPolicy::kRestricted));
  EXPECT_THAT(ParseTopologyPolicy("single-numa-node"), IsOkAndHolds(TopologyPolicy::kSingleNumaNode));
}

TEST(TopologyPolicyTest, APolicyThatIsNoneIsRefusedInTheKubeletsWords) {
  EXPECT_THAT(ParseTopologyPolicy("Best-Effort"),
              StatusIs(absl::StatusCode::kInvalidArgument, "unknown policy: \"Best-Effort\""));
  EXPECT_THAT(ParseTopologyPolicy(""), StatusIs(absl::StatusCode::kInvalidArgument, "unknown policy: \"\""));
}

TEST(TopologyPolicyTest, ScopesHaveTheNamesOfTheFlag) {
  EXPECT_THAT(ParseTopologyScope("container"), IsOkAndHolds(TopologyScope::kContainer));
  EXPECT_THAT(ParseTopologyScope("pod"), IsOkAndHolds(TopologyScope::kPod));
  EXPECT_THAT(ParseTopologyScope("node"), StatusIs(absl::StatusCode::kInvalidArgument, "unknown scope: \"node\""));
}

TEST(TopologyPolicyTest, EveryNameReadsBackAsWhatItNames) {
  for (const auto policy : {TopologyPolicy::kNone, TopologyPolicy::kBestEffort, TopologyPolicy::kRestricted,
                            TopologyPolicy::kSingleNumaNode}) {
    EXPECT_THAT(ParseTopologyPolicy(TopologyPolicyName(policy)), IsOkAndHolds(policy));
  }
  for (const auto scope : {TopologyScope::kContainer, TopologyScope::kPod}) {
    EXPECT_THAT(ParseTopologyScope(TopologyScopeName(scope)), IsOkAndHolds(scope));
  }
}

TEST(TopologyPolicyTest, AMachineMayHaveEightNumaNodesUnlessTheOptionSaysOtherwise) {
  EXPECT_OK(CheckNumaNodeCount(TopologyPolicy::kBestEffort, 8));
  EXPECT_THAT(CheckNumaNodeCount(TopologyPolicy::kBestEffort, 9),
              StatusIs(absl::StatusCode::kFailedPrecondition, "unsupported on machines with more than 8 NUMA Nodes"));
  EXPECT_OK(CheckNumaNodeCount(TopologyPolicy::kSingleNumaNode, 16, 16));
  EXPECT_THAT(CheckNumaNodeCount(TopologyPolicy::kSingleNumaNode, 17, 16),
              StatusIs(absl::StatusCode::kFailedPrecondition, "unsupported on machines with more than 16 NUMA Nodes"));
}

TEST(TopologyPolicyTest, WithoutAPolicyTheNumberOfNumaNodesDoesNotMatter) {
  EXPECT_OK(CheckNumaNodeCount(TopologyPolicy::kNone, 64));
}

}  // namespace
}  // namespace kubelet_cm
