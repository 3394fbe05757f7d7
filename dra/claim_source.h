// ClaimSource: the seam between the DRA manager and whoever has the ResourceClaims: a fake in tests, in the daemon a
// folder of manifests or an API server.
//
// Thread-safe. Calls block for a bounded time.
#ifndef KUBELET_CM_DRA_CLAIM_SOURCE_H_
#define KUBELET_CM_DRA_CLAIM_SOURCE_H_

#include <string>

#include "absl/status/statusor.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

class ClaimSource {
 public:
  ClaimSource() = default;
  ClaimSource(const ClaimSource&) = delete;
  ClaimSource& operator=(const ClaimSource&) = delete;
  virtual ~ClaimSource() = default;

  // The claim as it is now. kNotFound, in the API server's words, if there is none.
  virtual absl::StatusOr<ClaimObject> Get(const std::string& namespace_name, const std::string& name) = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_SOURCE_H_
