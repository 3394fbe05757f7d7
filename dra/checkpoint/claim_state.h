// The DRA manager's claims as its state file dra_manager_state holds them since Kubernetes 1.31, in the newest shape
// (1.37). Older files of that family are this with members left out. Files of 1.27 to 1.30 have another shape:
// legacy_claim.h.
//
// Plain values. Nil and empty are told apart everywhere, because Go writes one as null and the other as [] or {}.
#ifndef KUBELET_CM_DRA_CHECKPOINT_CLAIM_STATE_H_
#define KUBELET_CM_DRA_CHECKPOINT_CLAIM_STATE_H_

#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/container/inlined_vector.h"
#include "common/gotext/go_slice.h"

namespace kubelet_cm::dra {

// Most lists have one element, which then needs no memory of its own.
using StringList = GoSlice<std::string, absl::InlinedVector<std::string, 1>>;
// Nothing stands for nil.
using StringSet = std::optional<std::set<std::string>>;

// A device as its driver described it when it was prepared.
struct ClaimDevice {
  std::string pool_name;
  std::string device_name;
  std::optional<std::string> share_id;  // since 1.35
  StringList request_names;             // none: of use to every request
  StringList cdi_device_ids;

  friend bool operator==(const ClaimDevice&, const ClaimDevice&) = default;
};

struct DriverState {
  GoSlice<ClaimDevice> devices;     // none until the driver has prepared the claim
  StringList skip_node_operations;  // since 1.37; Go does not write an empty one

  friend bool operator==(const DriverState&, const DriverState&) = default;
};

struct ClaimState {
  std::string claim_uid;
  std::string claim_name;
  std::string claim_namespace;
  StringSet pod_uids;
  std::optional<std::map<std::string, DriverState>> driver_state;

  friend bool operator==(const ClaimState&, const ClaimState&) = default;
};

using ClaimList = GoSlice<ClaimState>;

// The name under which a kubelet knows a claim: "namespace/name".
inline std::string ClaimKey(const ClaimState& claim) { return claim.claim_namespace + "/" + claim.claim_name; }

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_CLAIM_STATE_H_
