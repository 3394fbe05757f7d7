// What is often done with files, on any FileSystem.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FILE_FUNCTIONS_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FILE_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// The whole of a regular file (or of a link to one; anything else is kFailedPrecondition and is not opened).
// kResourceExhausted when it has more than `max_bytes`, of which no more than that and one are read.
absl::StatusOr<std::string> ReadFile(FileSystem& file_system, const std::string& path, size_t max_bytes);

// MakeFolders, and the folders' names survive a power cut, too: the folders above are synced, all of them, because one
// that is there may be left from an attempt that was killed before it could do so. One that must not be read is
// skipped.
absl::Status MakeFoldersDurably(FileSystem& file_system, const std::string& folder, uint32_t permissions);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FILE_FUNCTIONS_H_
