// What the claim table hands out: the calls that somebody has to make, those that somebody else makes, and what is to
// be written. Plain values.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_PLANS_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_PLANS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "dra/checkpoint/legacy_claim.h"
#include "dra/claim/claim_entry.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// One driver's part in a call about one claim.
struct PlannedCall {
  ClaimId claim;
  std::string driver;
  AttemptId attempt = 0;  // whoever has it makes the call
  // What drivers of before 1.31 want to be told. Without handles it is one that is empty.
  std::vector<ResourceHandle> handles = {};
  std::vector<std::string> cdi_device_ids = {};  // to unprepare
};

// By driver; each batch by the claims' keys.
using CallBatches = absl::btree_map<std::string, std::vector<PlannedCall>>;

struct CallPlan {
  AttemptId attempt = 0;  // of the calls; 0 if there are none
  CallBatches calls = {};
  std::string pod_name = {};                           // for errors that name the pod
  std::vector<PlannedCall> waits = {};                 // which others make; by key, then driver
  absl::btree_map<std::string, int64_t> skipped = {};  // how many calls a driver did not want
};

// An unprepare that failed.
struct StuckClaim {
  ClaimId claim;
  std::string driver;
  absl::Status reason;
  bool retrying = false;  // it is being called again
  std::vector<std::string> pod_uids;
};

// A claim that somebody released: what was known of it, for the record.
struct ForgottenClaim {
  ClaimState state;
  std::vector<StuckClaim> stuck;
  std::string who;
};

// For the writer of the state file.
struct ClaimChange {
  std::string key;                       // "namespace/name"
  std::optional<ClaimState> state = {};  // nothing: removed
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_PLANS_H_
