// Kubeconfig files, as kubelets and kubectl have them.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_KUBECONFIG_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_KUBECONFIG_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "kubelet_cm/apiserver/api_access.h"

namespace kubelet_cm::apiserver {

// The access that the current context gives. File names in it that are relative begin at `folder`. InvalidArgument for
// what is wrong with it; Unimplemented where it wants a program or a plugin to be asked for credentials, or
// impersonation.
absl::StatusOr<ApiAccess> ParseKubeconfig(std::string_view text, const std::string& folder);

// Of a file; errors name it.
absl::StatusOr<ApiAccess> LoadKubeconfig(FileSystem& files, const std::string& path);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_KUBECONFIG_H_
