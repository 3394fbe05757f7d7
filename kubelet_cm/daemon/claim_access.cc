#include "kubelet_cm/daemon/claim_access.h"

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {

absl::StatusOr<std::unique_ptr<ClaimAccess>> ClaimAccess::New(const ManifestFolder::Dependencies& dependencies,
                                                              const config::DaemonOptions& options) {
  auto access = absl::WrapUnique(new ClaimAccess());
  if (!options.claim_manifest_path.empty()) {
    ASSIGN_OR_RETURN(access->folder_, ClaimFolder::New(dependencies, {.folder = options.claim_manifest_path}));
  }
  return access;
}

absl::StatusOr<dra::ClaimObject> ClaimAccess::Get(const std::string& namespace_name, const std::string& name) {
  if (folder_ != nullptr) return folder_->Get(namespace_name, name);
  return absl::NotFoundError(
      absl::StrCat("resourceclaims.resource.k8s.io \"", name,
                   "\" not found: there is no source of claims; --claim-manifest-path or --kubeconfig names one"));
}

}  // namespace kubelet_cm
