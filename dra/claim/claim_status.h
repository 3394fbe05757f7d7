// How the devices of a container's claims are, as a pod's status tells it (allocatedResourcesStatus).
//
// Pure function of the claim table, the pod and the devices' health.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_STATUS_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_STATUS_H_

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/node/pod.h"
#include "dra/claim/claim_names.h"
#include "dra/claim/claim_store.h"

namespace kubelet_cm::dra {

struct DeviceCondition {
  std::string health = "Unknown";  // "Healthy", "Unhealthy" or "Unknown"
  std::string message = {};
};

struct DeviceStatus {
  std::string resource_id;  // the first CDI id; "driver/pool/device" for a device without one
  std::string health;
  std::string message = {};

  friend bool operator==(const DeviceStatus&, const DeviceStatus&) = default;
};

struct ClaimStatus {
  std::string name;                     // "claim:entry" or "claim:entry/request"
  std::vector<DeviceStatus> resources;  // by id, each once, never none

  friend bool operator==(const ClaimStatus&, const ClaimStatus&) = default;
};

struct ClaimStatusOptions {
  ClaimNameRules rules = {};
  bool messages = true;  // ResourceHealthStatusMessage
};

// By name. Only app containers have such a status. Claims that are not known, and the one behind extended resources,
// are left out.
std::vector<ClaimStatus> ClaimStatusesOf(const Pod& pod, const Container& container, const ClaimStore& claims,
                                         absl::FunctionRef<DeviceCondition(const DeviceName&)> condition_of,
                                         const ClaimStatusOptions& options);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_STATUS_H_
