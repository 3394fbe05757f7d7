// CheckEndpoint: which endpoints plugins may name.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_ENDPOINT_CHECK_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_ENDPOINT_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm::pluginwatcher {

// kInvalidArgument when `endpoint` is no path that a socket can have. With `confined_to`, a folder, kPermissionDenied
// when it is not below that folder: by its name, or because a symbolic link on the way there leads who knows where.
// What is not there yet is no error. For any thread.
absl::Status CheckEndpoint(FileSystem& files, const std::string& endpoint, const std::string& confined_to);

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_ENDPOINT_CHECK_H_
