// Pod: what the device stack has to know of a pod, from whichever source it came: its identity, its containers in the
// order in which they are admitted, what they ask for. Plain values.
#ifndef KUBELET_CM_COMMON_NODE_POD_H_
#define KUBELET_CM_COMMON_NODE_POD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"

namespace kubelet_cm {

enum class ContainerKind {
  kInit,     // runs to its end before the next one starts
  kSidecar,  // an init container with restartPolicy Always: runs as long as the pod
  kApp,
};

// One entry of a container's resources.claims.
struct ContainerClaim {
  std::string name;     // of an entry of the pod's claims
  std::string request;  // the one request of the claim that is meant; empty: all of them

  friend bool operator==(const ContainerClaim&, const ContainerClaim&) = default;
};

struct Container {
  std::string name;
  ContainerKind kind = ContainerKind::kApp;
  // resources.limits that are whole numbers, extended resources among them, by name.
  absl::btree_map<std::string, int64_t> limits = {};
  std::vector<ContainerClaim> claims = {};

  friend bool operator==(const Container&, const Container&) = default;
};

// One entry of the pod's spec.resourceClaims with what its status says of it.
struct PodClaim {
  std::string name;                        // in the pod
  std::optional<std::string> object_name;  // of the ResourceClaim; nothing: not made yet, or none is needed
  bool from_template = false;              // made for this pod
  bool not_needed = false;                 // its status has the entry, without an object

  friend bool operator==(const PodClaim&, const PodClaim&) = default;
};

// status.extendedResourceClaimStatus: extended resources that a ResourceClaim backs instead of a device plugin.
struct ExtendedResourceClaim {
  struct Mapping {
    std::string container_name;
    std::string resource_name;
    std::string request_name;

    friend bool operator==(const Mapping&, const Mapping&) = default;
  };
  std::string object_name;
  std::vector<Mapping> mappings;

  friend bool operator==(const ExtendedResourceClaim&, const ExtendedResourceClaim&) = default;
};

struct Pod {
  std::string uid;
  std::string namespace_name;
  std::string name;
  std::vector<Container> containers = {};  // init containers and sidecars in their order, then app containers
  absl::btree_map<std::string, int64_t> pod_limits = {};  // spec.resources.limits, of the pod as a whole
  std::vector<PodClaim> claims = {};
  std::optional<ExtendedResourceClaim> extended_resource_claim = {};
  std::string scheduling_group = {};  // the name of the PodGroup that it is scheduled with; empty: none

  // Null if there is none of that name.
  const Container* FindContainer(std::string_view container_name) const;
  // Namespace and name, as log lines show a pod.
  std::string LogName() const;
  // Whether a ResourceClaim gives the container this resource.
  bool BackedByClaim(std::string_view container_name, std::string_view resource_name) const;

  friend bool operator==(const Pod&, const Pod&) = default;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_POD_H_
