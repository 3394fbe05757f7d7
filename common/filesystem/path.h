// Paths as text: no file system is asked. Plain functions, for any thread.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_PATH_H_
#define KUBELET_CM_COMMON_FILESYSTEM_PATH_H_

#include <string>

#include "absl/strings/string_view.h"

namespace kubelet_cm {

// "/a/b" for "/a/b/c" and for "/a/b/c/"; "/" for "/a" and "/"; "." for a lone name.
std::string FolderOf(absl::string_view path);

// "c" for "/a/b/c" and for "/a/b/c/"; "" for "/".
std::string NameOf(absl::string_view path);

// "/a/b" for "/a" and "b", and for "/a/" and "b".
std::string JoinPath(absl::string_view folder, absl::string_view name);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_PATH_H_
