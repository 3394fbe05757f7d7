// ClaimBudget: how much of what may stand in the state file the claims take. Whatever is taken in is asked about first,
// so that no file is written that would not be read again: a reader takes kMaxClaimParts and kMaxCheckpointBytes.
//
// A plain value, which only ClaimTable changes.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_BUDGET_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_BUDGET_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "dra/checkpoint/part_budget.h"
#include "dra/claim/allocated_claim.h"
#include "dra/claim/claim_entry.h"

namespace kubelet_cm::dra {

struct ClaimWeight {
  size_t parts = 0;  // claims, what drivers hold of them, and devices
  size_t bytes = 0;  // of the file, and no less

  ClaimWeight& operator+=(const ClaimWeight& other);
  ClaimWeight& operator-=(const ClaimWeight& other);
  friend bool operator==(const ClaimWeight&, const ClaimWeight&) = default;
};

// The file may have 256 MiB; what frames the claims, and what is taken of a claim that is being removed, needs little.
inline constexpr ClaimWeight kMaxClaimWeight = {.parts = kMaxClaimParts, .bytes = size_t{240} << 20};

ClaimWeight WeightOf(const ClaimEntry& entry);
// What the claim adds at most when a pod references it that did not before.
ClaimWeight WeightOf(const AllocatedClaim& claim, std::string_view pod_uid);
ClaimWeight WeightOf(absl::Span<const ClaimDevice> devices);

class ClaimBudget {
 public:
  explicit ClaimBudget(ClaimWeight limit) : limit_(limit) {}

  // ResourceExhausted if that is too much.
  absl::Status CheckRoomFor(const ClaimWeight& more) const;
  // The claim as it is now, new or not.
  void Set(const ClaimEntry& entry);
  void Remove(const std::string& key);
  const ClaimWeight& used() const { return used_; }

 private:
  ClaimWeight limit_;
  ClaimWeight used_;
  absl::flat_hash_map<std::string, ClaimWeight> claims_;  // by key
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_BUDGET_H_
