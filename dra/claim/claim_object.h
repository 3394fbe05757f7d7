// A ResourceClaim as the API server has it, whatever version of resource.k8s.io it was read from (claim_parser.h): what
// the DRA manager looks at, and no more. Plain values, as hostile as their source.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_OBJECT_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_OBJECT_H_

#include <optional>
#include <string>
#include <vector>

#include "dra/checkpoint/legacy_claim.h"

namespace kubelet_cm::dra {

// Which claim is meant: a name can come back with another uid, and then it is another claim.
struct ClaimId {
  std::string namespace_name;
  std::string name;
  std::string uid;

  // As ClaimKey gives it: "namespace/name".
  std::string Key() const { return namespace_name + "/" + name; }

  friend bool operator==(const ClaimId&, const ClaimId&) = default;
};

// The owner reference that has controller set.
struct ClaimOwner {
  std::string api_group;  // empty: the core group
  std::string kind;
  std::string name;
  std::string uid;

  friend bool operator==(const ClaimOwner&, const ClaimOwner&) = default;
};

// An entry of status.reservedFor.
struct ClaimConsumer {
  std::string api_group;  // empty: the core group
  std::string resource;   // "pods"
  std::string name;
  std::string uid;

  friend bool operator==(const ClaimConsumer&, const ClaimConsumer&) = default;
};

// An entry of status.allocation.devices.results, since 1.31.
struct AllocatedDevice {
  std::string request;  // "request", or "request/subrequest"
  std::string driver;
  std::string pool;
  std::string device;
  std::optional<std::string> share_id = {};
  bool admin_access = false;
  std::vector<std::string> skip_node_operations = {};

  friend bool operator==(const AllocatedDevice&, const AllocatedDevice&) = default;
};

struct Allocation {
  std::vector<AllocatedDevice> results = {};
  std::vector<ResourceHandle> handles = {};  // until 1.30; one without a driver is for the claim's own

  friend bool operator==(const Allocation&, const Allocation&) = default;
};

struct ClaimObject {
  ClaimId id;
  std::optional<ClaimOwner> controller = {};
  std::vector<ClaimConsumer> reserved_for = {};
  std::optional<Allocation> allocation = {};  // nothing: not allocated
  std::string class_name = {};                // until 1.30
  std::string driver_name = {};               // the claim's own driver, until 1.30

  friend bool operator==(const ClaimObject&, const ClaimObject&) = default;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_OBJECT_H_
