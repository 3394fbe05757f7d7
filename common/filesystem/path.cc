#include "common/filesystem/path.h"

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace kubelet_cm {
namespace {

absl::string_view WithoutTrailingSlashes(absl::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path;
}

}  // namespace

std::string FolderOf(absl::string_view path) {
  path = WithoutTrailingSlashes(path);
  const size_t slash = path.rfind('/');
  if (slash == absl::string_view::npos) return ".";
  return std::string(WithoutTrailingSlashes(path.substr(0, slash + 1)));
}

std::string NameOf(absl::string_view path) {
  path = WithoutTrailingSlashes(path);
  const size_t slash = path.rfind('/');
  return std::string(slash == absl::string_view::npos ? path : path.substr(slash + 1));
}

std::string JoinPath(absl::string_view folder, absl::string_view name) {
  folder = WithoutTrailingSlashes(folder);
  return absl::StrCat(folder, folder == "/" || folder.empty() ? "" : "/", name);
}

}  // namespace kubelet_cm
