// What is in the plugin folder: its sockets and the folders among its entries, looked at one by one or all at once.
//
// Hidden entries are left out, and so is what is neither socket nor folder. Symbolic links are not followed unless that
// is asked for, and then only to sockets, as a kubelet does: a link must not make the daemon connect elsewhere. For any
// thread; nothing is kept between calls.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_TREE_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_TREE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "kubelet_cm/pluginwatcher/plugin_table.h"

namespace kubelet_cm::pluginwatcher {

struct SocketTreeOptions {
  bool follow_links = false;
  // How much of a tree is looked at.
  size_t max_entries = 10'000;
  size_t max_folders = 200;
};

struct TreeEntry {
  enum class Kind { kSocket, kFolder, kLink, kOther };
  Kind kind = Kind::kOther;
  SocketIdentity socket = {};  // of kSocket
};

// What `path` is. kNotFound when nothing is there.
absl::StatusOr<TreeEntry> LookAt(FileSystem& files, const std::string& path, const SocketTreeOptions& options);

struct SocketTree {
  FoundSockets sockets = {};
  std::vector<std::string> folders = {};  // those that were listed, each before what is in it
  std::vector<std::string> links = {};    // those that were not followed
  std::vector<absl::Status> errors = {};  // what could not be looked at; without what went away meanwhile
  // False when something is left out because of an error or a limit: then what is not found may still be there.
  bool complete = true;
};

// Everything in `folder` and below. `before_listing` is called with each folder first, to watch it.
SocketTree ReadSocketTree(FileSystem& files, const std::string& folder, const SocketTreeOptions& options,
                          absl::FunctionRef<void(const std::string&)> before_listing);

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_TREE_H_
