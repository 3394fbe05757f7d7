#include "deviceplugin/registration/socket_sweep.h"

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Several errors as one, in the form of Go's aggregates.
absl::Status Aggregate(const std::vector<absl::Status>& errors) {
  if (errors.empty()) return absl::OkStatus();
  if (errors.size() == 1) return errors.front();
  const std::string texts = absl::StrJoin(
      errors, ", ", [](std::string* out, const absl::Status& error) { absl::StrAppend(out, error.message()); });
  return Reworded(errors.front(), absl::StrCat("[", texts, "]"));
}

}  // namespace

absl::Status SweepSockets(FileSystem& files, const std::string& folder, const std::string& keep, Logger& log) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(folder));
  std::vector<absl::Status> errors;
  for (const std::string& name : names) {
    if (name == keep) continue;
    const std::string path = JoinPath(folder, name);
    const absl::StatusOr<FileStat> stat = files.Stat(path);
    if (!stat.ok()) {
      log.Error(stat.status(), "Failed to stat file", {{"path", path}});
      continue;
    }
    if (stat->kind != FileKind::kSocket) continue;
    absl::Status removed = files.Unlink(path);
    // What is gone by itself is what was wanted.
    if (!removed.ok() && !absl::IsNotFound(removed)) errors.push_back(std::move(removed));
  }
  return Aggregate(errors);
}

}  // namespace kubelet_cm::deviceplugin
