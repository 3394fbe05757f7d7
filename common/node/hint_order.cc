#include "common/node/hint_order.h"

#include <cstddef>

namespace kubelet_cm {
namespace {

constexpr uint32_t kUnreachable = 255;

uint32_t DistanceBetween(const NumaDistances& distances, int from, int to) {
  const auto row = distances.find(from);
  if (row == distances.end() || static_cast<size_t>(to) >= row->second.size()) return kUnreachable;
  return row->second[to];
}

}  // namespace

bool HintOrder::IsBetter(const TopologyHint& candidate, const TopologyHint& current) const {
  if (candidate.preferred != current.preferred) return candidate.preferred;
  if (candidate.preferred) return IsFitter(*candidate.nodes, *current.nodes);
  return IsBetterUnpreferred(*candidate.nodes, *current.nodes);
}

bool HintOrder::IsFitter(NumaMask candidate, NumaMask current) const {
  if (distances_ != nullptr && candidate.Count() == current.Count()) {
    const uint64_t candidate_sum = DistanceSum(candidate);
    const uint64_t current_sum = DistanceSum(current);
    if (candidate_sum != current_sum) return candidate_sum < current_sum;
  }
  return candidate.IsNarrowerThan(current);
}

bool HintOrder::IsBetterUnpreferred(NumaMask candidate, NumaMask current) const {
  const int candidate_count = candidate.Count();
  const int current_count = current.Count();
  if (candidate_count == current_count) return IsFitter(candidate, current);
  const bool candidate_exceeds = candidate_count > needed_nodes_;
  const bool current_exceeds = current_count > needed_nodes_;
  if (candidate_exceeds != current_exceeds) return current_exceeds;
  return candidate_exceeds ? candidate_count < current_count : candidate_count > current_count;
}

uint64_t HintOrder::DistanceSum(NumaMask mask) const {
  uint64_t sum = 0;
  const std::vector<int> nodes = mask.Nodes();
  for (const int from : nodes) {
    for (const int to : nodes) sum += DistanceBetween(*distances_, from, to);
  }
  return sum;
}

}  // namespace kubelet_cm
