#include "common/node/topology_merge.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/container/flat_hash_set.h"

namespace kubelet_cm {
namespace {

using HintList = std::vector<TopologyHint>;

// One list of hints for each resource; a resource without a preference, or without a possibility, is a hint too.
std::vector<HintList> HintLists(absl::Span<const ProviderHints> providers) {
  const TopologyHint no_preference = {.nodes = std::nullopt, .preferred = true};
  const TopologyHint impossible = {.nodes = std::nullopt, .preferred = false};
  std::vector<HintList> lists;
  for (const ProviderHints& provider : providers) {
    for (const auto& [resource, hints] : provider) {
      if (!hints.has_value()) {
        lists.push_back({no_preference});
      } else if (hints->empty()) {
        lists.push_back({impossible});
      } else {
        lists.push_back(*hints);
      }
    }
  }
  return lists;
}

// Only what single-numa-node can use: preferred hints of one node, or of wherever. A list may end up empty.
void KeepSingleNodeHints(std::vector<HintList>* lists) {
  for (HintList& list : *lists) {
    std::erase_if(list, [](const TopologyHint& hint) {
      return !hint.preferred || (hint.nodes.has_value() && hint.nodes->Count() != 1);
    });
  }
}

// The largest, over the lists, of the smallest number of nodes in a list.
int NeededNodes(absl::Span<const HintList> lists) {
  int needed = 0;
  for (const HintList& list : lists) {
    std::optional<int> fewest;
    for (const TopologyHint& hint : list) {
      if (hint.nodes.has_value()) fewest = std::min(fewest.value_or(NumaMask::kMostNodes), hint.nodes->Count());
    }
    needed = std::max(needed, fewest.value_or(0));
  }
  return needed;
}

// What can come out preferred: nodes that every list either prefers or leaves open. It says "preferred" only of equal
// masks, so there is nothing to intersect but with the machine.
std::vector<NumaMask> PreferredMasks(NumaMask machine, absl::Span<const HintList> lists) {
  absl::btree_set<NumaMask> common;  // what all lists so far agree on
  bool all_open = true;              // whether all lists so far can leave it open
  for (const HintList& list : lists) {
    absl::btree_set<NumaMask> agreed;
    bool open = false;
    for (const TopologyHint& hint : list) {
      if (!hint.preferred) continue;
      if (!hint.nodes.has_value()) {
        open = true;
      } else if (all_open || common.contains(*hint.nodes)) {
        agreed.insert(*hint.nodes);
      }
    }
    if (open) agreed.insert(common.begin(), common.end());
    common = std::move(agreed);
    all_open = all_open && open;
  }
  std::vector<NumaMask> masks;
  if (all_open) masks.push_back(machine);
  for (const NumaMask mask : common) masks.push_back(mask.And(machine));
  return masks;
}

// Every intersection of one hint of each list that leaves a node. Equal ones are kept once from list to list, which
// loses nothing: what comes of them is equal.
std::vector<NumaMask> Intersections(NumaMask machine, absl::Span<const HintList> lists) {
  absl::flat_hash_set<NumaMask> reached = {machine};
  for (const HintList& list : lists) {
    absl::flat_hash_set<NumaMask> masks;
    for (const TopologyHint& hint : list) masks.insert(hint.nodes.value_or(machine).And(machine));
    absl::flat_hash_set<NumaMask> next;
    for (const NumaMask before : reached) {
      for (const NumaMask mask : masks) next.insert(before.And(mask));
    }
    next.erase(NumaMask());
    reached = std::move(next);
  }
  return {reached.begin(), reached.end()};
}

std::optional<TopologyHint> Best(const HintOrder& order, absl::Span<const NumaMask> masks, bool preferred) {
  std::optional<TopologyHint> best;
  for (const NumaMask mask : masks) {
    if (mask.IsEmpty()) continue;
    const TopologyHint candidate = {.nodes = mask, .preferred = preferred};
    if (!best.has_value() || order.IsBetter(candidate, *best)) best = candidate;
  }
  return best;
}

TopologyHint MergeLists(NumaMask machine, absl::Span<const HintList> lists, const NumaDistances* distances) {
  const HintOrder order(NeededNodes(lists), distances);
  // Any preferred outcome beats all others; so those, of which there can be many, are worked out only without one.
  if (const auto best = Best(order, PreferredMasks(machine, lists), true); best.has_value()) return *best;
  if (const auto best = Best(order, Intersections(machine, lists), false); best.has_value()) return *best;
  return {.nodes = machine, .preferred = false};
}

}  // namespace

MergedHint MergeHints(TopologyPolicy policy, absl::Span<const int> machine_nodes,
                      absl::Span<const ProviderHints> providers, const NumaDistances* prefer_closest) {
  if (policy == TopologyPolicy::kNone) return {.hint = {}, .admit = true};
  const NumaMask machine = NumaMask::Of(machine_nodes);
  std::vector<HintList> lists = HintLists(providers);
  const bool is_single = policy == TopologyPolicy::kSingleNumaNode;
  if (is_single) KeepSingleNodeHints(&lists);

  MergedHint merged;
  merged.hint = MergeLists(machine, lists, is_single ? nullptr : prefer_closest);
  merged.admit = policy == TopologyPolicy::kBestEffort || merged.hint.preferred;
  // All nodes is no single node; it is told as "wherever".
  if (is_single && merged.hint.nodes == machine) merged.hint.nodes = std::nullopt;
  return merged;
}

}  // namespace kubelet_cm
