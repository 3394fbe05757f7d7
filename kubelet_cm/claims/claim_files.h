// ClaimFiles: the ResourceClaims in a set of manifests, by name. Pure value code.
//
// A claim that says no namespace is in "default"; one without a uid gets one made from its name, the same every time,
// so that it stays the same claim when its allocation or reservations are edited.
//
// A file that is broken has no claims until it is mended: what it had before may not be what is meant now, and a pod
// should not be given devices by it. Asking for one of those names tells what is wrong with the file.
#ifndef KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FILES_H_
#define KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FILES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dra/claim/claim_object.h"
#include "kubelet_cm/manifestfolder/manifest_file.h"

namespace kubelet_cm {

// The claims of a text, JSON or YAML; anything else in it is an error.
absl::StatusOr<std::vector<dra::ClaimObject>> ParseClaimManifest(std::string_view text);

struct ListedClaim {
  dra::ClaimObject claim;
  std::string file;
};

class ClaimFiles {
 public:
  // What a file has now, as ParseClaimManifest tells. The error that it has, for the log.
  absl::Status Set(const std::string& file, absl::StatusOr<std::vector<dra::ClaimObject>> claims);
  void Remove(const std::string& file);

  // kNotFound, in the API server's words, if there is none; kFailedPrecondition if it is in two manifests, or in one
  // that is broken.
  absl::StatusOr<dra::ClaimObject> Get(const std::string& namespace_name, const std::string& name) const;

  // By namespace and name; a claim that is in two manifests is there twice.
  std::vector<ListedClaim> List() const;
  // Files that are broken, and claims that are in two of them; by file.
  std::vector<ManifestProblem> Problems() const;

 private:
  using ClaimsByKey = absl::btree_map<std::string, dra::ClaimObject>;
  struct File {
    absl::Status error = {};
    ClaimsByKey claims = {};  // those that it had before, when it is broken
  };

  void Forget(const std::string& file);

  absl::btree_map<std::string, File> files_;
  absl::btree_map<std::string, absl::btree_set<std::string>> files_by_key_;  // never empty sets
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CLAIMS_CLAIM_FILES_H_
