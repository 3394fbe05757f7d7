// NumaMask: a set of NUMA nodes, as 64 bits. A plain value.
//
// Only the nodes 0 to 63 can be members; other ids are left out when a mask is made.
#ifndef KUBELET_CM_COMMON_NODE_NUMA_MASK_H_
#define KUBELET_CM_COMMON_NODE_NUMA_MASK_H_

#include <bit>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "absl/types/span.h"

namespace kubelet_cm {

class NumaMask {
 public:
  static constexpr int kMostNodes = 64;

  constexpr NumaMask() = default;
  static NumaMask Of(absl::Span<const int> nodes) {
    NumaMask mask;
    for (const int node : nodes) mask = mask.Or(OfOne(node));
    return mask;
  }
  static NumaMask Of(std::initializer_list<int> nodes) {
    return Of(absl::Span<const int>(nodes.begin(), nodes.size()));
  }
  static constexpr NumaMask OfOne(int node) {
    return NumaMask(node < 0 || node >= kMostNodes ? 0 : uint64_t{1} << node);
  }

  constexpr bool Contains(int node) const { return !And(OfOne(node)).IsEmpty(); }
  constexpr bool IsEmpty() const { return bits_ == 0; }
  constexpr int Count() const { return std::popcount(bits_); }
  constexpr NumaMask And(NumaMask other) const { return NumaMask(bits_ & other.bits_); }
  constexpr NumaMask Or(NumaMask other) const { return NumaMask(bits_ | other.bits_); }

  // The members, ascending.
  std::vector<int> Nodes() const {
    std::vector<int> nodes;
    for (uint64_t rest = bits_; rest != 0; rest &= rest - 1) nodes.push_back(std::countr_zero(rest));
    return nodes;
  }

  // Fewer nodes; among as many, the one that is less.
  constexpr bool IsNarrowerThan(NumaMask other) const {
    return Count() == other.Count() ? *this < other : Count() < other.Count();
  }

  // As numbers: what decides is the highest node that only one of them has; that one is greater.
  friend constexpr auto operator<=>(NumaMask, NumaMask) = default;
  friend constexpr bool operator==(NumaMask, NumaMask) = default;

  template <typename H>
  friend H AbslHashValue(H state, NumaMask mask) {
    return H::combine(std::move(state), mask.bits_);
  }

 private:
  explicit constexpr NumaMask(uint64_t bits) : bits_(bits) {}

  uint64_t bits_ = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_NUMA_MASK_H_
