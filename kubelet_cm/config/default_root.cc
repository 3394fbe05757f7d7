#include "kubelet_cm/config/default_root.h"

#include "absl/status/status.h"
#include "common/filesystem/path.h"

namespace kubelet_cm::config {

absl::StatusOr<std::string> DefaultRootDir(const std::string& xdg_state_home, const std::string& home) {
  if (xdg_state_home.starts_with('/')) return JoinPath(xdg_state_home, "kubelet_cm");
  if (home.starts_with('/')) return JoinPath(home, ".local/state/kubelet_cm");
  return absl::InvalidArgumentError("--root-dir is needed: neither $XDG_STATE_HOME nor $HOME says where state goes");
}

}  // namespace kubelet_cm::config
