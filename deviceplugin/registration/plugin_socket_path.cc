#include "deviceplugin/registration/plugin_socket_path.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/gotext/quote.h"
#include "common/unixsocket/socket_path.h"
#include "deviceplugin/registration/api_versions.h"

namespace kubelet_cm::deviceplugin {
namespace {

// In the same folder; a plugin there would be the kubelet itself.
constexpr char kKubeletSocketName[] = "kubelet.sock";

}  // namespace

absl::StatusOr<std::string> PluginSocketPath(const std::string& folder, const std::string& endpoint) {
  const auto refuse = [&](const std::string& why) {
    return absl::InvalidArgumentError(
        absl::StrCat("the endpoint ", GoQuote(Shortened(endpoint)), " is invalid: ", why));
  };
  if (endpoint.empty()) return refuse("it is empty");
  if (endpoint == "." || endpoint == "..") return refuse("it is a folder");
  if (endpoint == kKubeletSocketName) return refuse("it is the kubelet's own socket");
  if (endpoint.find('/') != std::string::npos) {
    return refuse(absl::StrCat("it must be the name of a socket in ", folder, ", without \"/\""));
  }
  if (endpoint.find('\0') != std::string::npos) return refuse("it has a NUL byte in it");
  std::string path = JoinPath(folder, endpoint);
  if (path.size() > kMaxSocketPath) {
    return refuse(
        absl::StrCat("its path has ", path.size(), " bytes; that of a unix socket has at most ", kMaxSocketPath));
  }
  return path;
}

}  // namespace kubelet_cm::deviceplugin
