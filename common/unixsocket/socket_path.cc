#include "common/unixsocket/socket_path.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace kubelet_cm {
namespace {

absl::Status Refuse(const std::string& path, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("unix socket path \"", path, "\" ", why));
}

}  // namespace

absl::Status CheckSocketPath(const std::string& path) {
  if (!absl::StartsWith(path, "/")) return Refuse(path, "is not absolute");
  if (absl::StrContains(path, '\0')) return Refuse(path, "has a NUL byte in it");
  if (path.size() > kMaxSocketPath) {
    return Refuse(path, absl::StrCat("has ", path.size(), " bytes; the system takes at most ", kMaxSocketPath));
  }
  return absl::OkStatus();
}

std::string SocketAddress(const std::string& path) {
  std::string address = "unix:";
  for (const char c : path) {
    if (absl::ascii_isalnum(static_cast<unsigned char>(c)) || absl::StrContains("-._~/", c)) {
      address += c;
    } else {
      absl::StrAppendFormat(&address, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return address;
}

}  // namespace kubelet_cm
