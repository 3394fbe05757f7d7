#include "common/node/hint_order.h"

#include <vector>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using Nodes = std::vector<int>;

TopologyHint Preferred(const Nodes& nodes) { return {.nodes = NumaMask::Of(nodes), .preferred = true}; }
TopologyHint Unpreferred(const Nodes& nodes) { return {.nodes = NumaMask::Of(nodes), .preferred = false}; }

// Two sockets of four nodes each; inside a socket, 0-1, 2-3, 4-5 and 6-7 are neighbours.
NumaDistances EightNodes() {
  return {{0, {10, 11, 12, 12, 30, 30, 30, 30}}, {1, {11, 10, 12, 12, 30, 30, 30, 30}},
          {2, {12, 12, 10, 11, 30, 30, 30, 30}}, {3, {12, 12, 11, 10, 30, 30, 30, 30}},
          {4, {30, 30, 30, 30, 10, 11, 12, 12}}, {5, {30, 30, 30, 30, 11, 10, 12, 12}},
          {6, {30, 30, 30, 30, 12, 12, 10, 11}}, {7, {30, 30, 30, 30, 12, 12, 13, 10}}};
}

TEST(HintOrderTest, PreferredBeatsUnpreferredWhateverTheNodes) {
  const HintOrder order(1, nullptr);
  EXPECT_TRUE(order.IsBetter(Preferred({0}), Unpreferred({0})));
  EXPECT_FALSE(order.IsBetter(Unpreferred({0}), Preferred({0})));
  EXPECT_TRUE(order.IsBetter(Preferred({0, 1, 2}), Unpreferred({0})));
}

TEST(HintOrderTest, AmongPreferredOnesTheNarrowerIsBetter) {
  const HintOrder order(1, nullptr);
  EXPECT_TRUE(order.IsBetter(Preferred({0}), Preferred({0, 1})));
  EXPECT_FALSE(order.IsBetter(Preferred({0, 1}), Preferred({0})));
  EXPECT_TRUE(order.IsBetter(Preferred({0}), Preferred({1})));
  EXPECT_FALSE(order.IsBetter(Preferred({0}), Preferred({0})));
}

// The kubelet's own table of what happens among hints that are not preferred.
TEST(HintOrderTest, AmongUnpreferredOnesTheNearestToWhatIsNeededFromBelowIsBetter) {
  struct Case {
    int needed;
    Nodes current;
    Nodes candidate;
    bool candidate_wins;
  };
  const std::vector<Case> cases = {
      {1, {0, 1}, {0, 1}, false},          // both exceed: the narrower
      {1, {1, 2}, {0, 1}, true},           //
      {1, {0, 1}, {1, 2}, false},          //
      {2, {0, 1}, {0}, false},             // the current one is just right
      {2, {0, 1}, {0, 1}, false},          //
      {2, {1, 2}, {0, 1}, true},           // both are: the lower
      {2, {0, 1}, {1, 2}, false},          //
      {2, {0}, {0, 1, 2}, false},          // too small is better than too large
      {2, {0}, {0, 1}, true},              // just right is better than too small
      {3, {0}, {0, 1}, true},              // both are too small: the larger
      {3, {0}, {1, 2}, true},              //
      {4, {0, 1}, {1, 2, 3}, true},        //
      {4, {1, 2, 3}, {0, 1}, false},       //
      {4, {0, 1, 2}, {0, 1, 2}, false},    // as many: the lower
      {4, {0, 1, 2}, {1, 2, 3}, false},    //
      {4, {1, 2, 3}, {0, 1, 2}, true},     //
      {1, {0, 1, 2}, {0, 1}, true},        // both exceed
      {2, {0, 1, 2}, {3}, true},           // too small is better than too large, also the other way round
      {0, {0, 1, 2, 3}, {0, 1, 2}, true},  // nothing is needed: everything exceeds
  };
  for (const Case& c : cases) {
    const HintOrder order(c.needed, nullptr);
    EXPECT_EQ(order.IsBetter(Unpreferred(c.candidate), Unpreferred(c.current)), c.candidate_wins)
        << "needed " << c.needed << ", current " << testing::PrintToString(c.current) << ", candidate "
        << testing::PrintToString(c.candidate);
  }
}

TEST(HintOrderTest, WithDistancesTheNearerNodesAreBetterAmongAsMany) {
  const NumaDistances distances = EightNodes();
  const HintOrder order(1, &distances);
  EXPECT_TRUE(order.IsBetter(Preferred({2, 3}), Preferred({0, 2})));
  EXPECT_FALSE(order.IsBetter(Preferred({0, 4}), Preferred({1, 2})));
  EXPECT_TRUE(order.IsBetter(Unpreferred({2, 3}), Unpreferred({1, 2})));
  EXPECT_TRUE(order.IsBetter(Preferred({4}), Preferred({0, 1})));
}

TEST(HintOrderTest, FewerNodesAreBetterHoweverFarTheyAre) {
  const NumaDistances distances = {{0, {200}}, {1, {20, 10, 11}}, {2, {20, 11, 10}}};
  const HintOrder order(1, &distances);
  EXPECT_TRUE(order.IsBetter(Preferred({0}), Preferred({1, 2})));
  EXPECT_FALSE(order.IsBetter(Preferred({1, 2}), Preferred({0})));
}

TEST(HintOrderTest, WithEqualDistancesTheLowerMaskIsBetter) {
  const NumaDistances distances = EightNodes();
  const HintOrder order(1, &distances);
  EXPECT_TRUE(order.IsBetter(Preferred({0, 1}), Preferred({2, 3})));
  EXPECT_FALSE(order.IsBetter(Preferred({2, 3}), Preferred({0, 1})));
  EXPECT_FALSE(order.IsBetter(Preferred({2, 3}), Preferred({2, 3})));
}

TEST(HintOrderTest, BothDirectionsOfADistanceCount) {
  const NumaDistances distances = EightNodes();
  const HintOrder order(1, &distances);
  EXPECT_TRUE(order.IsBetter(Preferred({4, 5}), Preferred({6, 7})));
  const NumaDistances swapped = {{0, {10, 11}}, {1, {20, 10}}, {2, {12, 12, 10, 11}}, {3, {12, 12, 11, 10}}};
  EXPECT_TRUE(HintOrder(1, &swapped).IsBetter(Preferred({2, 3}), Preferred({0, 1})));
}

TEST(HintOrderTest, ADistanceThatIsMissingIsThatOfAnUnreachableNode) {
  const NumaDistances distances = {{0, {10}}, {1, {255, 10}}, {2, {40, 254, 10, 40}}, {3, {40, 40, 40, 10}}};
  const HintOrder order(1, &distances);
  EXPECT_TRUE(order.IsBetter(Preferred({2, 3}), Preferred({0, 1})));
  EXPECT_TRUE(order.IsBetter(Preferred({1, 2}), Preferred({0, 1})));
  EXPECT_TRUE(order.IsBetter(Preferred({2, 3}), Preferred({4, 5})));
}

}  // namespace
}  // namespace kubelet_cm
