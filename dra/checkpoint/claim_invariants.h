// What must be true of the claims of a state file, beside its checksum.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_CLAIM_INVARIANTS_H_
#define KUBELET_CM_DRA_CHECKPOINT_CLAIM_INVARIANTS_H_

#include <string>
#include <vector>

#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

enum class ClaimProblemKind {
  kNameless,         // no UID, name or namespace
  kTwice,            // two claims of one namespace and name: a kubelet keeps the last
  kNoPods,           // nobody needs the claim; it was not unprepared
  kNullPods,         // as kNoPods, and upstream crashes when a pod is added
  kNoDrivers,        // nobody prepares it
  kNotPrepared,      // a driver without devices: whether it has prepared the claim is not known
  kDeviceHeldTwice,  // a device in two claims, without different share ids
  kNotUtf8,          // a name in which bytes were replaced when it was written
};

struct ClaimProblem {
  ClaimProblemKind kind;
  std::string sentence;  // names the claim, and driver and device where there is one
  // kNotPrepared and kNoPods are normal for a while: between intent and result, and between the end of a pod and the
  // next reconciliation.
  bool is_error = true;

  friend bool operator==(const ClaimProblem&, const ClaimProblem&) = default;
};

// In the order of the list.
std::vector<ClaimProblem> ClaimProblems(const ClaimList& claims);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_CLAIM_INVARIANTS_H_
