// A claim as the state files of Kubernetes 1.27 to 1.30 hold it. The resource handles came with 1.28, the structured
// data in them with 1.30.
//
// Plain values; nil and empty are told apart.
#ifndef KUBELET_CM_DRA_CHECKPOINT_LEGACY_CLAIM_H_
#define KUBELET_CM_DRA_CHECKPOINT_LEGACY_CLAIM_H_

#include <map>
#include <optional>
#include <string>

#include "common/gotext/go_slice.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/structured_handle.h"

namespace kubelet_cm::dra {

// What a driver wants to be told when it prepares and unprepares the claim.
struct ResourceHandle {
  std::string driver_name;
  std::string data;
  std::optional<StructuredHandle> structured_data;  // since 1.30

  friend bool operator==(const ResourceHandle&, const ResourceHandle&) = default;
};

struct LegacyClaim {
  std::string driver_name;
  std::string class_name;
  std::string claim_uid;
  std::string claim_name;
  std::string claim_namespace;
  StringSet pod_uids;
  GoSlice<ResourceHandle> resource_handles;                      // since 1.28
  std::optional<std::map<std::string, StringList>> cdi_devices;  // by driver

  friend bool operator==(const LegacyClaim&, const LegacyClaim&) = default;
};

using LegacyClaimList = GoSlice<LegacyClaim>;

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_LEGACY_CLAIM_H_
