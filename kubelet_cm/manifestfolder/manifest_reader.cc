#include "kubelet_cm/manifestfolder/manifest_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/manifest/fingerprint.h"
#include "kubelet_cm/manifest/manifest_objects.h"

namespace kubelet_cm {
namespace {

bool SameFile(const FileStat& a, const FileStat& b) {
  return a.kind == b.kind && a.inode == b.inode && a.size == b.size && a.modified == b.modified;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ManifestReader::Names() {
  absl::StatusOr<std::vector<std::string>> names = files_.List(folder_);
  if (absl::IsNotFound(names.status())) return std::vector<std::string>();
  RETURN_IF_ERROR(names.status());
  names->erase(std::remove_if(names->begin(), names->end(), [](const std::string& n) { return n.starts_with('.'); }),
               names->end());
  left_out_ = names->size() - std::min(names->size(), kMaxManifestFiles);
  names->resize(names->size() - left_out_);
  return names;
}

absl::StatusOr<ManifestChanges> ManifestReader::Read(const std::set<std::string>& touched) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, Names());
  ManifestChanges changes;
  std::set<std::string> present;
  for (const std::string& name : names) {
    if (Look(name, touched.contains(name), &changes)) present.insert(name);
  }
  std::erase_if(known_, [&](const auto& known) {
    if (present.contains(known.first)) return false;
    changes.gone.push_back(known.first);
    return true;
  });
  return changes;
}

bool ManifestReader::Look(const std::string& name, bool touched, ManifestChanges* changes) {
  const absl::StatusOr<FileStat> stat = files_.Lstat(JoinPath(folder_, name));
  if (absl::IsNotFound(stat.status())) return false;  // removed since the folder was listed
  if (stat.ok() && stat->kind == FileKind::kFolder) return false;
  const auto found = known_.find(name);
  const bool is_known = found != known_.end();
  if (is_known && !touched && stat.ok() && SameFile(found->second.stat, *stat)) return true;
  absl::StatusOr<std::string> text = stat.ok() ? ReadRegular(name, *stat) : stat.status();
  if (absl::IsNotFound(text.status())) return false;
  std::string fingerprint = Fingerprint(text.ok() ? absl::StrCat("text ", *text) : text.status().ToString());
  const bool changed = !is_known || found->second.fingerprint != fingerprint;
  known_[name] = {stat.ok() ? *stat : FileStat(), std::move(fingerprint)};
  if (changed) changes->changed.push_back({name, std::move(text)});
  return true;
}

absl::StatusOr<std::string> ManifestReader::ReadRegular(const std::string& name, const FileStat& before) const {
  const std::string path = JoinPath(folder_, name);
  if (before.kind == FileKind::kSymlink) {
    return absl::FailedPreconditionError(absl::StrCat("read ", path, ": a symbolic link, which is not followed"));
  }
  if (before.kind != FileKind::kRegular) {
    return absl::FailedPreconditionError(absl::StrCat("read ", path, ": not a regular file"));
  }
  ASSIGN_OR_RETURN(std::string text, ReadFile(files_, path, kMaxManifestBytes));
  // A link may have taken the file's place before it was opened.
  ASSIGN_OR_RETURN(const FileStat after, files_.Lstat(path));
  if (after.kind != FileKind::kRegular) {
    return absl::FailedPreconditionError(absl::StrCat("read ", path, ": replaced while it was read"));
  }
  return text;
}

}  // namespace kubelet_cm
