// ClaimFolder: ResourceClaims from a folder of manifests, for a node without an API server. What counts as a manifest
// and how changes are noticed: kubelet_cm/manifestfolder; which claims there are: claim_files.h.
//
// Thread-safe. Answers come from memory.
#ifndef KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FOLDER_H_
#define KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FOLDER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "common/threads/notification.h"
#include "dra/claim/claim_object.h"
#include "dra/claim_source.h"
#include "kubelet_cm/claims/claim_files.h"
#include "kubelet_cm/manifestfolder/manifest_folder.h"

namespace kubelet_cm {

class ClaimFolder : public dra::ClaimSource, private ManifestFolderListener {
 public:
  // Returns when the folder has been read once, or cannot be read: then it is tried again, and nothing is known of
  // claims until it can. What is given outlives the object.
  static absl::StatusOr<std::unique_ptr<ClaimFolder>> New(ManifestFolder::Dependencies dependencies,
                                                          ManifestFolder::Options options);

  // Unavailable while the folder has not been read.
  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) override;

  // As ClaimFiles.
  std::vector<ListedClaim> List() const;
  std::vector<ManifestProblem> Problems() const;

 private:
  ClaimFolder(const ManifestFolder::Dependencies& dependencies, std::string path);
  void OnFiles(ManifestChanges changes) override;
  void OnLooked(const absl::Status& outcome) override;
  absl::Status Set(const std::string& file, absl::StatusOr<std::vector<dra::ClaimObject>> claims);

  Logger& log_;
  const std::string path_;
  Notification looked_;
  mutable Mutex mu_;
  bool read_ ABSL_GUARDED_BY(mu_) = false;
  ClaimFiles files_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<ManifestFolder> folder_;  // last: it calls this object
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FOLDER_H_
