// The files around a socket: the folder it is made in, and what an earlier process left at its path.
#ifndef KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_FILE_H_
#define KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_FILE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

// Makes `folder` with these permissions, with the folders above it, unless it is there. One that is there is left as
// it is; kFailedPrecondition when it is no folder, kPermissionDenied when everybody may write to it.
absl::Status PrepareSocketFolder(FileSystem& files, const std::string& folder, uint32_t permissions);

// Whether there is a socket, or a symbolic link to one, at `path`: false when nothing is there, kFailedPrecondition
// when something else is.
absl::StatusOr<bool> StaleSocketAt(FileSystem& files, const std::string& path);

// Removes what StaleSocketAt finds; OK when nothing is there, and its error, with nothing removed, otherwise.
absl::Status RemoveStaleSocket(FileSystem& files, const std::string& path);

// Gives the socket at `from`, where somebody listens by now, the name `to`, where nothing is, and takes the first name
// away. A socket that is bound where it is to be is there a moment before its maker listens; plugins that watch the
// folder are refused if they connect in that moment. Watchers see that `to` is made, as when it is bound there, or
// moved in, where a file cannot have two names.
absl::Status PublishSocket(FileSystem& files, const std::string& from, const std::string& to);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_UNIXSOCKET_SOCKET_FILE_H_
