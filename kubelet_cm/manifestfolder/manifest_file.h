// What a folder of manifests has: files, and what is wrong with some of them. Plain values.
#ifndef KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FILE_H_
#define KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FILE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace kubelet_cm {

struct ManifestFile {
  std::string name;                  // in the folder
  absl::StatusOr<std::string> text;  // or why it could not be read
};

// What changed in a folder since it was last told; both sorted by name.
struct ManifestChanges {
  std::vector<ManifestFile> changed = {};
  std::vector<std::string> gone = {};

  bool empty() const { return changed.empty() && gone.empty(); }
};

// A file that cannot be used as it is, for listings.
struct ManifestProblem {
  std::string file;
  absl::Status error;

  friend bool operator==(const ManifestProblem&, const ManifestProblem&) = default;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FILE_H_
