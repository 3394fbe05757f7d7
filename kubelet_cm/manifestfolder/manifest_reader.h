// ManifestReader: reads what is new in a folder of manifests.
//
// A manifest is a regular file right in the folder whose name does not begin with a dot, as for the kubelet. Symbolic
// links are not followed: what they point at may be anything that the daemon can read and whoever made them cannot.
//
// One thread at a time.
#ifndef KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_READER_H_
#define KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_READER_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "kubelet_cm/manifestfolder/manifest_file.h"

namespace kubelet_cm {

// The first ones by name are read when there are more.
inline constexpr size_t kMaxManifestFiles = 4096;

class ManifestReader {
 public:
  // `files` outlives this.
  ManifestReader(FileSystem& files, std::string folder) : files_(files), folder_(std::move(folder)) {}
  ManifestReader(const ManifestReader&) = delete;
  ManifestReader& operator=(const ManifestReader&) = delete;

  // What is other than at the last call. Files that look the same are not read again, those in `touched` are. A folder
  // that is not there has no files; an error when it cannot be listed, and then nothing has changed.
  absl::StatusOr<ManifestChanges> Read(const std::set<std::string>& touched);

  // How many files there were beyond kMaxManifestFiles.
  size_t left_out() const { return left_out_; }

 private:
  struct Known {
    FileStat stat = {};
    std::string fingerprint = {};  // of the text, or of the error
  };

  absl::StatusOr<std::vector<std::string>> Names();
  absl::StatusOr<std::string> ReadRegular(const std::string& name, const FileStat& before) const;
  // Reads the file if it may have changed, and says so if it has. False when there is none.
  bool Look(const std::string& name, bool touched, ManifestChanges* changes);

  FileSystem& files_;
  const std::string folder_;
  std::map<std::string, Known> known_;
  size_t left_out_ = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_READER_H_
