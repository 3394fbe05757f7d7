#include "kubelet_cm/daemon/claim_access.h"

#include "absl/memory/memory.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/apiserver/kubeconfig.h"

namespace kubelet_cm {

absl::StatusOr<std::unique_ptr<ClaimAccess>> ClaimAccess::New(const Dependencies& dependencies,
                                                              const config::DaemonOptions& options) {
  auto access = absl::WrapUnique(new ClaimAccess());
  if (!options.claim_manifest_path.empty()) {
    ASSIGN_OR_RETURN(access->folder_, ClaimFolder::New({.threads = dependencies.threads,
                                                        .files = dependencies.files,
                                                        .watches = dependencies.watches,
                                                        .log = dependencies.log},
                                                       {.folder = options.claim_manifest_path}));
  }
  if (!options.kubeconfig.empty()) {
    ASSIGN_OR_RETURN(const apiserver::ApiAccess server,
                     apiserver::LoadKubeconfig(dependencies.files, options.kubeconfig));
    access->server_.emplace(apiserver::ApiServerLink::Dependencies{.threads = dependencies.threads,
                                                                   .files = dependencies.files,
                                                                   .random = dependencies.random,
                                                                   .log = dependencies.log},
                            server, options.node_name);
  }
  return access;
}

absl::StatusOr<dra::ClaimObject> ClaimAccess::Get(const std::string& namespace_name, const std::string& name) {
  if (folder_ != nullptr) {
    absl::StatusOr<dra::ClaimObject> claim = folder_->Get(namespace_name, name);
    if (!server_.has_value() || !absl::IsNotFound(claim.status())) return claim;
  }
  if (server_.has_value()) return server_->claims().Get(namespace_name, name);
  return absl::NotFoundError(
      absl::StrCat("resourceclaims.resource.k8s.io \"", name,
                   "\" not found: there is no source of claims; --claim-manifest-path or --kubeconfig names one"));
}

void ClaimAccess::Stop() {
  if (server_.has_value()) server_->Stop();
}

}  // namespace kubelet_cm
