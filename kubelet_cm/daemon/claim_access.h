// ClaimAccess: where the daemon gets ResourceClaims from: a folder of manifests, an API server, both (then the folder's
// come first) or nothing; and who wipes ResourceSlices.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "dra/claim_source.h"
#include "dra/plugin/slice_client.h"
#include "kubelet_cm/claims/claim_folder.h"
#include "kubelet_cm/config/daemon_options.h"
#include "kubelet_cm/manifestfolder/manifest_folder.h"

namespace kubelet_cm {

// Thread-safe.
class ClaimAccess : public dra::ClaimSource {
 public:
  // Returns when the folder has been read once. What is given outlives the object.
  static absl::StatusOr<std::unique_ptr<ClaimAccess>> New(const ManifestFolder::Dependencies& dependencies,
                                                          const config::DaemonOptions& options);

  // NotFound says where it was looked for.
  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) override;

  // Null when there is no API server.
  dra::SliceClient* slices() { return nullptr; }

 private:
  ClaimAccess() = default;

  std::unique_ptr<ClaimFolder> folder_;  // null: none is asked for
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_
