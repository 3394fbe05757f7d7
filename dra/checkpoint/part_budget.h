// How much a state file of claims may hold. A hostile one of 256 MiB could have a hundred million claims of two bytes
// each, and an object here takes some hundred bytes whatever its text; so objects are counted before they are made.
// Strings take memory in proportion to the file.
#ifndef KUBELET_CM_DRA_CHECKPOINT_PART_BUDGET_H_
#define KUBELET_CM_DRA_CHECKPOINT_PART_BUDGET_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::dra {

// Claims, what drivers hold of them, and devices, in all. Far beyond any node; some 600 MB at most.
inline constexpr size_t kMaxClaimParts = 2'000'000;

// Of one reading; one thread.
class PartBudget {
 public:
  // Whether so many more may be made. After the first false the reading fails with status().
  bool Take(size_t parts) {
    if (parts <= left_) {
      left_ -= parts;
      return true;
    }
    exceeded_ = true;
    return false;
  }

  absl::Status status() const {
    if (!exceeded_) return absl::OkStatus();
    return absl::ResourceExhaustedError(
        absl::StrCat("read claims: more than ", kMaxClaimParts, " claims, drivers and devices"));
  }

 private:
  size_t left_ = kMaxClaimParts;
  bool exceeded_ = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_PART_BUDGET_H_
