// The merge against its definition: every way to take one hint for each resource, one after the other.
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/node/topology_merge.h"
#include "common/random/seeded_random.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using Lists = std::vector<std::vector<TopologyHint>>;

double AverageDistance(const NumaDistances& distances, NumaMask mask) {
  double sum = 0;
  for (const int from : mask.Nodes()) {
    for (const int to : mask.Nodes()) sum += distances.at(from)[to];
  }
  return sum / (mask.Count() * mask.Count());
}

// Goes through all ways and keeps the best so far, with the kubelet's case distinction.
class Permutations {
 public:
  Permutations(NumaMask machine, const Lists& lists, const NumaDistances* distances)
      : machine_(machine), lists_(lists), distances_(distances) {
    for (const auto& list : lists) {
      int fewest = 0;
      for (const auto& hint : list) {
        if (hint.nodes && (fewest == 0 || hint.nodes->Count() < fewest)) fewest = hint.nodes->Count();
      }
      needed_ = std::max(needed_, fewest);
    }
  }

  TopologyHint Best() {
    std::vector<TopologyHint> chosen;
    Visit(&chosen);
    return best_.value_or(TopologyHint{.nodes = machine_, .preferred = false});
  }

 private:
  void Visit(std::vector<TopologyHint>* chosen) {
    if (chosen->size() == lists_.size()) return Consider(*chosen);
    for (const TopologyHint& hint : lists_[chosen->size()]) {
      chosen->push_back(hint);
      Visit(chosen);
      chosen->pop_back();
    }
  }

  void Consider(const std::vector<TopologyHint>& chosen) {
    NumaMask merged = machine_;
    std::optional<NumaMask> first;
    bool preferred = true;
    for (const TopologyHint& hint : chosen) {
      preferred = preferred && hint.preferred;
      if (!hint.nodes) continue;
      if (!first) first = hint.nodes;
      preferred = preferred && *first == *hint.nodes;
      merged = merged.And(*hint.nodes);
    }
    if (merged.IsEmpty()) return;
    const TopologyHint candidate = {.nodes = merged, .preferred = preferred};
    if (!best_ || Replaces(candidate, *best_)) best_ = candidate;
  }

  bool Replaces(const TopologyHint& candidate, const TopologyHint& current) const {
    if (candidate.preferred != current.preferred) return candidate.preferred;
    const int count = candidate.nodes->Count();
    const int held = current.nodes->Count();
    if (candidate.preferred || held > needed_) return Fits(*candidate.nodes, *current.nodes);
    if (held == needed_) return count == needed_ && Fits(*candidate.nodes, *current.nodes);
    if (count > needed_) return false;
    if (count != held) return count > held;
    return Fits(*candidate.nodes, *current.nodes);
  }

  bool Fits(NumaMask candidate, NumaMask current) const {
    if (candidate == current) return false;
    if (distances_ == nullptr || candidate.Count() != current.Count()) return candidate.IsNarrowerThan(current);
    const double far = AverageDistance(*distances_, candidate);
    const double held = AverageDistance(*distances_, current);
    return far == held ? candidate < current : far < held;
  }

  NumaMask machine_;
  const Lists& lists_;
  const NumaDistances* distances_;
  int needed_ = 0;
  std::optional<TopologyHint> best_;
};

MergedHint MergePermutations(TopologyPolicy policy, NumaMask machine, Lists lists, const NumaDistances* distances) {
  const bool is_single = policy == TopologyPolicy::kSingleNumaNode;
  if (is_single) {
    for (auto& list : lists) {
      std::vector<TopologyHint> kept;
      for (const auto& hint : list) {
        if (hint.preferred && (!hint.nodes || hint.nodes->Count() == 1)) kept.push_back(hint);
      }
      list = kept;
    }
  }
  MergedHint merged = {.hint = Permutations(machine, lists, is_single ? nullptr : distances).Best()};
  if (is_single && *merged.hint.nodes == machine) merged.hint.nodes.reset();
  merged.admit = merged.hint.preferred || policy == TopologyPolicy::kBestEffort;
  return merged;
}

NumaMask RandomMask(Random* random, int nodes) {
  NumaMask mask;
  while (mask.IsEmpty()) {
    for (int node = 0; node < nodes; ++node) {
      if (random->Below(2) == 0) mask = mask.Or(NumaMask::OfOne(node));
    }
  }
  return mask;
}

// One resource's hints, and what the definition makes of them.
ResourceHints RandomHints(Random* random, int nodes, std::vector<TopologyHint>* list) {
  const uint64_t kind = random->Below(12);
  if (kind == 0) {
    *list = {{.nodes = std::nullopt, .preferred = true}};
    return std::nullopt;
  }
  if (kind == 1) {
    *list = {{.nodes = std::nullopt, .preferred = false}};
    return std::vector<TopologyHint>();
  }
  const uint64_t preferred_of_four = random->Below(4);
  for (uint64_t i = 1 + random->Below(5); i > 0; --i) {
    TopologyHint hint = {.nodes = std::nullopt, .preferred = random->Below(4) < preferred_of_four};
    if (random->Below(10) != 0) hint.nodes = RandomMask(random, nodes);
    list->push_back(hint);
  }
  return *list;
}

NumaDistances RandomDistances(Random* random, int nodes) {
  NumaDistances distances;
  for (int node = 0; node < nodes; ++node) {
    for (int other = 0; other < nodes; ++other) {
      distances[node].push_back(node == other ? 10 : static_cast<uint32_t>(random->Between(11, 14)));
    }
  }
  return distances;
}

void CompareOnce(uint64_t seed) {
  SeededRandom random(seed);
  const int nodes = static_cast<int>(random.Between(1, 6));
  std::vector<int> machine;
  for (int node = 0; node < nodes; ++node) machine.push_back(node);
  const NumaDistances distances = RandomDistances(&random, nodes);
  Lists lists;
  std::vector<ProviderHints> providers(random.Below(4));
  for (ProviderHints& provider : providers) {
    for (uint64_t i = random.Below(3); i > 0; --i) {
      lists.emplace_back();
      // Now and then a hint names a node that the machine does not have.
      const int most = random.Below(8) == 0 ? nodes + 1 : nodes;
      provider[absl::StrCat("resource", i)] = RandomHints(&random, most, &lists.back());
    }
  }
  const NumaMask mask = NumaMask::Of(machine);
  for (const auto policy :
       {TopologyPolicy::kBestEffort, TopologyPolicy::kRestricted, TopologyPolicy::kSingleNumaNode}) {
    for (const NumaDistances* closest : {static_cast<const NumaDistances*>(nullptr), &distances}) {
      EXPECT_EQ(MergeHints(policy, machine, providers, closest), MergePermutations(policy, mask, lists, closest))
          << "seed " << seed << ", " << TopologyPolicyName(policy);
    }
  }
}

TEST(TopologyMergePermutationsTest, TheOutcomeIsThatOfGoingThroughAllWays) {
  for (uint64_t seed = 1; seed <= 3000 && !testing::Test::HasFailure(); ++seed) CompareOnce(seed);
}

// 255 hints for each of forty resources: 255^40 ways.
TEST(TopologyMergePermutationsTest, ManyProvidersOnEightNodesAreMergedAllTheSame) {
  const std::vector<int> machine = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<TopologyHint> all;
  for (int bits = 1; bits < 256; ++bits) {
    NumaMask mask;
    for (int node = 0; node < 8; ++node) {
      if ((bits >> node) % 2 == 1) mask = mask.Or(NumaMask::OfOne(node));
    }
    all.push_back({.nodes = mask, .preferred = false});
  }
  ProviderHints provider;
  for (int i = 0; i < 40; ++i) provider[absl::StrCat("resource", i)] = all;
  const std::vector<ProviderHints> providers = {provider};
  const MergedHint merged = MergeHints(TopologyPolicy::kBestEffort, machine, providers);
  EXPECT_EQ(merged.hint, (TopologyHint{.nodes = NumaMask::Of({0}), .preferred = false}));
}

}  // namespace
}  // namespace kubelet_cm
