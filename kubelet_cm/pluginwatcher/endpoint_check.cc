#include "kubelet_cm/pluginwatcher/endpoint_check.h"

#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/socket_path.h"

namespace kubelet_cm::pluginwatcher {

absl::Status CheckEndpoint(FileSystem& files, const std::string& endpoint, const std::string& confined_to) {
  RETURN_IF_ERROR(CheckSocketPath(endpoint));
  if (confined_to.empty()) return absl::OkStatus();
  const auto refuse = [&](absl::string_view why) {
    return absl::PermissionDeniedError(
        absl::StrCat("the endpoint ", endpoint, " ", why, ": plugins' endpoints must be below ", confined_to));
  };
  absl::string_view rest = endpoint;
  if (!absl::ConsumePrefix(&rest, absl::StrCat(absl::StripSuffix(confined_to, "/"), "/"))) return refuse("is outside");
  const std::vector<absl::string_view> names = absl::StrSplit(rest, '/', absl::SkipEmpty());
  if (absl::c_linear_search(names, "..")) return refuse("has \"..\" in it");
  std::string path = confined_to;
  for (const absl::string_view name : names) {
    path = JoinPath(path, name);
    const absl::StatusOr<FileStat> stat = files.Lstat(path);
    if (absl::IsNotFound(stat.status())) return absl::OkStatus();
    RETURN_IF_ERROR(stat.status());
    if (stat->kind == FileKind::kSymlink) return refuse("leads through a symbolic link");
  }
  return absl::OkStatus();
}

}  // namespace kubelet_cm::pluginwatcher
