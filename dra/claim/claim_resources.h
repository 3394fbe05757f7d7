// What a container gets from the claims that it uses: the CDI devices that the runtime is to give it, and what the
// podresources API tells of them.
//
// Pure functions of the claim table and the pod.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_RESOURCES_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_RESOURCES_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/node/pod.h"
#include "dra/claim/claim_names.h"
#include "dra/claim/claim_store.h"

namespace kubelet_cm::dra {

// The CDI ids of the devices that serve the container's requests: by claim, request, driver, and in the driver's order.
// What serves two requests is there twice.
absl::StatusOr<std::vector<std::string>> CdiDevicesOf(const Pod& pod, const Container& container,
                                                      const ClaimStore& claims, const ClaimNameRules& rules);

struct ClaimedDevice {
  std::string driver_name;
  std::string pool_name;
  std::string device_name;
  std::optional<std::string> share_id = {};
  std::vector<std::string> cdi_device_ids = {};  // its own

  friend bool operator==(const ClaimedDevice&, const ClaimedDevice&) = default;
};

struct ContainerClaimInfo {
  std::string claim_name;
  std::string claim_namespace;
  std::string class_name = {};              // until 1.30
  std::vector<ClaimedDevice> devices = {};  // that serve the container's requests, each once; by driver

  friend bool operator==(const ContainerClaimInfo&, const ContainerClaimInfo&) = default;
};

// Differs from the kubelet's on purpose: that shows all devices of the claim, each with the CDI ids of those before it.
absl::StatusOr<std::vector<ContainerClaimInfo>> ClaimInfosOf(const Pod& pod, const Container& container,
                                                             const ClaimStore& claims, const ClaimNameRules& rules);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_RESOURCES_H_
