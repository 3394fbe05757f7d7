#include "kubelet_cm/config/topology_options.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;

TEST(TopologyOptionsTest, SetsWhatItNames) {
  TopologySettings settings;
  EXPECT_OK(SetTopologyOption("prefer-closest-numa-nodes", "true", &settings));
  EXPECT_OK(SetTopologyOption("max-allowable-numa-nodes", "16", &settings));
  EXPECT_EQ(settings, (TopologySettings{.prefer_closest_numa_nodes = true, .max_allowable_numa_nodes = 16}));
  EXPECT_THAT(TopologyOptionValues(settings),
              UnorderedElementsAre(Pair("prefer-closest-numa-nodes", "true"), Pair("max-allowable-numa-nodes", "16")));
}

TEST(TopologyOptionsTest, DefaultsAreNotListed) { EXPECT_TRUE(TopologyOptionValues(TopologySettings()).empty()); }

TEST(TopologyOptionsTest, ErrorsAreTheKubelets) {
  TopologySettings settings;
  EXPECT_THAT(SetTopologyOption("fast", "true", &settings),
              StatusIs(kInvalid, "unknown Topology Manager Policy option: \"fast\""));
  EXPECT_THAT(SetTopologyOption("prefer-closest-numa-nodes", "yes", &settings),
              StatusIs(kInvalid,
                       "bad value for option \"prefer-closest-numa-nodes\": strconv.ParseBool: parsing "
                       "\"yes\": invalid syntax"));
  EXPECT_THAT(SetTopologyOption("max-allowable-numa-nodes", "x", &settings),
              StatusIs(kInvalid,
                       "unable to convert policy option to integer \"max-allowable-numa-nodes\": "
                       "strconv.Atoi: parsing \"x\": invalid syntax"));
  EXPECT_THAT(SetTopologyOption("max-allowable-numa-nodes", "7", &settings),
              StatusIs(kInvalid, "the minimum value of \"max-allowable-numa-nodes\" should not be less than 8"));
  EXPECT_EQ(settings, TopologySettings());
}

}  // namespace
}  // namespace kubelet_cm::config
