// Reads what is left in a damaged state file of the DRA manager, of any version: whole claims, wherever they stand.
// What is cut off, is no longer JSON or has no name is left out and counted.
//
// Nothing vouches for the outcome: a claim with a letter changed is a whole claim. Where the file is readable and only
// its checksum is wrong, all of it is kept.
#ifndef KUBELET_CM_DRA_CHECKPOINT_DRA_SALVAGE_H_
#define KUBELET_CM_DRA_CHECKPOINT_DRA_SALVAGE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "checkpointmanager/checkpoint_problem.h"
#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

struct DraSalvage {
  ClaimList claims;  // in the newest form, in the order of the file
  // As far as can be told: what lies between two readable claims counts as one.
  size_t claims_lost = 0;
  std::vector<CheckpointProblem> problems;  // what is wrong and what was lost; none for a valid file
  std::vector<std::string> losses;          // of a file of before 1.31: what the newest form cannot hold
};

// Pure function; any bytes are fine as input. Takes time in proportion to their number.
DraSalvage SalvageDra(std::string_view bytes);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_DRA_SALVAGE_H_
