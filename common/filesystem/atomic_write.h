// AtomicWrite: the way in which files of this project are replaced, but for large ones that are replaced again and
// again (ReplacedFile).
//
// A temporary file in the same folder, written, synced, closed and renamed over the old one, then the folder is synced.
// At every moment, and after a kill or a power cut at any moment, the name is the old file or the new one, whole. When
// AtomicWrite returns OK, the new one survives a power cut.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_ATOMIC_WRITE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_ATOMIC_WRITE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm {

// The final file has exactly the permission bits `mode`; until the rename they are 0600. `random` names the temporary
// file: "." and a number; a name that is taken costs another draw.
//
// An error names the call that failed. The temporary file is removed then; when even that fails, the message says so
// and SweepTempFiles will do it. The file is the old one, except when it was the sync of the folder that failed, or a
// call that reported an error though it took effect: then it may be the new one, durable or not.
//
// Callers see to it that there is one writer per path at a time.
absl::Status AtomicWrite(FileSystem& file_system, Random& random, const std::string& path, absl::string_view bytes,
                         uint32_t mode);

// The first half of it: a temporary file for `path`, written, synced and closed. Returns where it is. After an error it
// is removed, as told above.
absl::StatusOr<std::string> WriteTempFile(FileSystem& file_system, Random& random, const std::string& path,
                                          absl::string_view bytes, uint32_t mode);
// Returns `error`, because of which the temporary file `temp_path` is no longer wanted and is removed, if it is there.
absl::Status RemoveTempFile(const absl::Status& error, FileSystem& file_system, const std::string& temp_path);

// Removes what writers that were killed have left in `folder`: regular files named "." and decimal digits. Returns
// their names, sorted. After an error to remove one the others are still removed; the first error is returned.
// For the time before the first writer starts.
absl::StatusOr<std::vector<std::string>> SweepTempFiles(FileSystem& file_system, const std::string& folder);
// The same for who knows the `names` in the folder already.
absl::StatusOr<std::vector<std::string>> SweepTempFiles(FileSystem& file_system, const std::string& folder,
                                                        const std::vector<std::string>& names);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_ATOMIC_WRITE_H_
