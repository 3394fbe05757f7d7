#include "common/node/topology_merge.h"

#include <cctype>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// The text of a hint: its nodes ("*": wherever), then + if it is preferred, - if not.
std::string TextOf(const TopologyHint& hint) {
  std::string text = hint.nodes.has_value() ? "" : "*";
  if (hint.nodes.has_value()) {
    for (const int node : hint.nodes->Nodes()) absl::StrAppend(&text, node);
  }
  return text + (hint.preferred ? "+" : "-");
}

TopologyHint HintOf(const std::string& text) {
  TopologyHint hint = {.nodes = NumaMask(), .preferred = text.back() == '+'};
  for (const char c : text) {
    if (std::isdigit(static_cast<unsigned char>(c))) hint.nodes = hint.nodes->Or(NumaMask::OfOne(c - '0'));
    if (c == '*') hint.nodes = std::nullopt;
  }
  return hint;
}

// One resource: its hints in a row, "any" for no preference, "" for no possibility.
ResourceHints Hints(const std::string& text) {
  if (text == "any") return std::nullopt;
  std::vector<TopologyHint> hints;
  std::istringstream words(text);
  for (std::string word; words >> word;) hints.push_back(HintOf(word));
  return hints;
}

// One provider: its resources.
ProviderHints Provider(const std::vector<std::string>& resources) {
  ProviderHints provider;
  for (const std::string& text : resources) provider[absl::StrCat("resource", provider.size())] = Hints(text);
  return provider;
}

struct Case {
  std::string what;
  std::vector<std::vector<std::string>> providers;
  std::string merged;
};

void ExpectMerged(TopologyPolicy policy, const std::vector<int>& machine, const std::vector<Case>& cases,
                  const NumaDistances* distances = nullptr) {
  for (const Case& c : cases) {
    std::vector<ProviderHints> providers;
    for (const auto& resources : c.providers) providers.push_back(Provider(resources));
    EXPECT_EQ(TextOf(MergeHints(policy, machine, providers, distances).hint), c.merged)
        << TopologyPolicyName(policy) << ": " << c.what;
  }
}

const std::vector<int>& FourNodes() {
  static const auto* const nodes = new std::vector<int>{0, 1, 2, 3};
  return *nodes;
}

std::vector<Case> CasesOfEveryPolicy() {
  return {
      {"one node, both prefer it", {{"0+"}, {"0+"}}, "0+"},
      {"another node, both prefer it", {{"1+"}, {"1+"}}, "1+"},
      {"a provider without hints does not matter", {{}, {"0+"}}, "0+"},
      {"a provider without hints does not matter, node 1", {{}, {"1+"}}, "1+"},
      {"the node that both can give", {{"0+ 1+"}, {"0+"}}, "0+"},
      {"the node that both can give, node 1", {{"0+ 1+"}, {"1+"}}, "1+"},
      {"a preferred hint of both", {{"0+ 1+"}, {"0+ 01-"}}, "0+"},
      {"a preferred hint, not the narrower one", {{"1+ 01-"}, {"0+ 1+ 01-"}}, "1+"},
      {"two resources of one provider", {{"1+ 01-", "0+ 1+ 01-"}}, "1+"},
  };
}

TEST(TopologyMergeTest, WhatAllPoliciesAgreeOn) {
  for (const auto policy :
       {TopologyPolicy::kBestEffort, TopologyPolicy::kRestricted, TopologyPolicy::kSingleNumaNode}) {
    ExpectMerged(policy, FourNodes(), CasesOfEveryPolicy());
  }
}

TEST(TopologyMergeTest, BestEffortAndRestrictedMergeToTheNodesThatFitBest) {
  const std::vector<Case> cases = {
      {"the lower of equal masks", {{"01+ 02+"}, {"01+ 02+"}}, "01+"},
      {"no provider", {}, "0123+"},
      {"a provider without a resource", {{}}, "0123+"},
      {"a resource without a preference", {{"any"}}, "0123+"},
      {"a resource without a possibility", {{""}}, "0123-"},
      {"one hint: wherever, preferred", {{"*+"}}, "0123+"},
      {"one hint: wherever, not preferred", {{"*-"}}, "0123-"},
      {"no node in common", {{"0+"}, {"1+"}}, "0123-"},
      {"one does not prefer it", {{"0+"}, {"0-"}}, "0-"},
      {"one does not prefer it, node 1", {{"1+"}, {"1-"}}, "1-"},
      {"different masks are not preferred", {{"0+"}, {"01+"}}, "0-"},
      {"different masks are not preferred, node 1", {{"1+"}, {"01+"}}, "1-"},
      {"the lower part of a wider hint", {{"0+ 1+"}, {"01-"}}, "0-"},
      {"one leaves it open, after the other", {{"1+ 23+"}, {"any"}}, "1+"},
      {"one leaves it open, before the other", {{"any"}, {"1+ 23+"}}, "1+"},
      {"one leaves it open or prefers a node", {{"12+"}, {"*+ 1+"}, {"12+ 3+"}}, "12+"},
      {"needed two, found two", {{"0123- 01-"}, {"01-"}}, "01-"},
      {"needed two: not the narrower intersection", {{"0123- 01-"}, {"03-"}}, "03-"},
      {"needed two: likewise", {{"0123- 01-"}, {"12-"}}, "12-"},
      {"needed two: likewise, high", {{"0123- 01-"}, {"23-"}}, "23-"},
      {"needed two: the lower of two such", {{"0123- 01-"}, {"12- 23-"}}, "12-"},
      {"needed two: the lower of three such", {{"0123- 01-"}, {"123- 12- 13- 23-"}}, "12-"},
  };
  ExpectMerged(TopologyPolicy::kBestEffort, FourNodes(), cases);
  ExpectMerged(TopologyPolicy::kRestricted, FourNodes(), cases);
}

TEST(TopologyMergeTest, SingleNumaNodeTakesOnlyPreferredHintsOfOneNode) {
  const std::vector<Case> cases = {
      {"no provider", {}, "*+"},
      {"a provider without a resource", {{}}, "*+"},
      {"a resource without a preference", {{"any"}}, "*+"},
      {"a resource without a possibility", {{""}}, "*-"},
      {"one hint: wherever, preferred", {{"*+"}}, "*+"},
      {"one hint: wherever, not preferred", {{"*-"}}, "*-"},
      {"no node in common", {{"0+"}, {"1+"}}, "*-"},
      {"one does not prefer it", {{"0+"}, {"0-"}}, "*-"},
      {"one does not prefer it, node 1", {{"1+"}, {"1-"}}, "*-"},
      {"one needs two nodes and does not prefer them", {{"0+ 1+"}, {"01-"}}, "*-"},
      {"one needs two nodes and prefers them", {{"01+", "0+ 1+ 01-"}}, "*-"},
      {"one has no preference", {{"0+ 1+ 01-"}, {}}, "0+"},
  };
  ExpectMerged(TopologyPolicy::kSingleNumaNode, FourNodes(), cases);
}

TEST(TopologyMergeTest, WithDistancesTheNearerNodesWinExceptForSingleNumaNode) {
  const NumaDistances distances = {{0, {10, 11, 12, 12, 30, 30, 30, 30}}, {1, {11, 10, 12, 12, 30, 30, 30, 30}},
                                   {2, {12, 12, 10, 11, 30, 30, 30, 30}}, {3, {12, 12, 11, 10, 30, 30, 30, 30}},
                                   {4, {30, 30, 30, 30, 10, 11, 12, 12}}, {5, {30, 30, 30, 30, 11, 10, 12, 12}},
                                   {6, {30, 30, 30, 30, 12, 12, 10, 11}}, {7, {30, 30, 30, 30, 12, 12, 13, 10}}};
  const std::vector<int> machine = {0, 1, 2, 3, 4, 5, 6, 7};
  const std::vector<Case> cases = {
      {"the same socket", {{"04+ 02+"}, {"04+ 02+"}}, "02+"},
      {"fewer nodes before nearer ones", {{"4+ 02+"}, {"4+ 02+"}}, "4+"},
      {"neighbours, not preferred", {{"0123- 01-"}, {"12- 23-"}}, "23-"},
      {"neighbours among many, not preferred", {{"0123- 01-"}, {"123- 12- 13- 23-"}}, "23-"},
  };
  ExpectMerged(TopologyPolicy::kBestEffort, machine, cases, &distances);
  ExpectMerged(TopologyPolicy::kRestricted, machine, cases, &distances);

  const NumaDistances far_zero = {{0, {99}}, {1, {255, 10}}};
  ExpectMerged(TopologyPolicy::kBestEffort, FourNodes(), {{"the nearer", {{"0+ 1+"}}, "1+"}}, &far_zero);
  ExpectMerged(TopologyPolicy::kSingleNumaNode, FourNodes(), {{"the lower", {{"0+ 1+"}}, "0+"}}, &far_zero);
}

TEST(TopologyMergeTest, NodesThatTheMachineDoesNotHaveAreLeftOutButTellHintsApart) {
  const std::vector<Case> cases = {
      {"what is left of it", {{"19+"}}, "1+"},
      {"nothing is left of it", {{"9+"}}, "0123-"},
      {"equal after that, different before", {{"1+"}, {"19+"}}, "1-"},
      {"how many are needed counts them", {{"1789-"}, {"01- 1-"}}, "1-"},
  };
  ExpectMerged(TopologyPolicy::kBestEffort, FourNodes(), cases);
  ExpectMerged(TopologyPolicy::kSingleNumaNode, FourNodes(), {{"no such node", {{"9+"}}, "*-"}});
}

TEST(TopologyMergeTest, OnAMachineOfOneNodeSingleNumaNodeMergesToWherever) {
  ExpectMerged(TopologyPolicy::kSingleNumaNode, {0}, {{"one node", {{"0+"}}, "*+"}});
  ExpectMerged(TopologyPolicy::kRestricted, {0}, {{"one node", {{"0+"}}, "0+"}});
}

TEST(TopologyMergeTest, WithoutAPolicyEverythingIsAdmittedAndHintsAreNotLookedAt) {
  const std::vector<ProviderHints> providers = {Provider({"0+"}), Provider({""})};
  EXPECT_EQ(MergeHints(TopologyPolicy::kNone, FourNodes(), providers), (MergedHint{.hint = {}, .admit = true}));
}

TEST(TopologyMergeTest, BestEffortAdmitsAlwaysTheOthersOnlyWhatIsPreferred) {
  const std::vector<ProviderHints> aligned = {Provider({"0+ 1+"}), Provider({"1+"})};
  const std::vector<ProviderHints> apart = {Provider({"0+"}), Provider({"1+"})};
  EXPECT_TRUE(MergeHints(TopologyPolicy::kBestEffort, FourNodes(), aligned).admit);
  EXPECT_TRUE(MergeHints(TopologyPolicy::kBestEffort, FourNodes(), apart).admit);
  EXPECT_TRUE(MergeHints(TopologyPolicy::kRestricted, FourNodes(), aligned).admit);
  EXPECT_FALSE(MergeHints(TopologyPolicy::kRestricted, FourNodes(), apart).admit);
  EXPECT_TRUE(MergeHints(TopologyPolicy::kSingleNumaNode, FourNodes(), aligned).admit);
  EXPECT_FALSE(MergeHints(TopologyPolicy::kSingleNumaNode, FourNodes(), apart).admit);
}

TEST(TopologyMergeTest, RestrictedAdmitsTwoNodesWhereSingleNumaNodeDoesNot) {
  const std::vector<ProviderHints> providers = {Provider({"01+"}), Provider({"01+"})};
  EXPECT_TRUE(MergeHints(TopologyPolicy::kRestricted, FourNodes(), providers).admit);
  EXPECT_FALSE(MergeHints(TopologyPolicy::kSingleNumaNode, FourNodes(), providers).admit);
}

}  // namespace
}  // namespace kubelet_cm
