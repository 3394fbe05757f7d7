// Where state goes when nobody says so: a folder of the user's own, so that a first run needs no root and touches no
// real kubelet. A pure function, which cmctl has in common with the daemon.
#ifndef KUBELET_CM_KUBELET_CM_CONFIG_DEFAULT_ROOT_H_
#define KUBELET_CM_KUBELET_CM_CONFIG_DEFAULT_ROOT_H_

#include <string>

#include "absl/status/statusor.h"

namespace kubelet_cm::config {

// Of $XDG_STATE_HOME, which counts when it is absolute, and $HOME. InvalidArgument when neither is.
absl::StatusOr<std::string> DefaultRootDir(const std::string& xdg_state_home, const std::string& home);

}  // namespace kubelet_cm::config

#endif  // KUBELET_CM_KUBELET_CM_CONFIG_DEFAULT_ROOT_H_
