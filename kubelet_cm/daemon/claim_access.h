// ClaimAccess: where the daemon gets ResourceClaims from: a folder of manifests, an API server, both (then the folder's
// come first) or nothing; and who wipes ResourceSlices.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/folderwatch/folder_watch.h"
#include "common/log/logger.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "dra/claim_source.h"
#include "dra/plugin/slice_client.h"
#include "kubelet_cm/apiserver/api_server_link.h"
#include "kubelet_cm/claims/claim_folder.h"
#include "kubelet_cm/config/daemon_options.h"

namespace kubelet_cm {

// Thread-safe.
class ClaimAccess : public dra::ClaimSource {
 public:
  struct Dependencies {
    Threads& threads;
    FileSystem& files;
    FolderWatches& watches;
    Random& random;
    Logger& log;
  };

  // Returns when the folder has been read once; an API server is not waited for. What is given outlives the object.
  static absl::StatusOr<std::unique_ptr<ClaimAccess>> New(const Dependencies& dependencies,
                                                          const config::DaemonOptions& options);

  // NotFound when no source has it.
  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) override;

  // Null when there is no API server.
  dra::SliceClient* slices() { return server_.has_value() ? &server_->slices() : nullptr; }

  // Requests that are under way end soon, and later ones fail.
  void Stop();

 private:
  ClaimAccess() = default;

  std::unique_ptr<ClaimFolder> folder_;             // null: none is asked for
  std::optional<apiserver::ApiServerLink> server_;  // nothing: none is asked for
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_CLAIM_ACCESS_H_
