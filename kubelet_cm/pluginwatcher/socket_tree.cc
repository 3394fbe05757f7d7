#include "kubelet_cm/pluginwatcher/socket_tree.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::pluginwatcher {
namespace {

TreeEntry SocketOf(const FileStat& stat) {
  return {.kind = TreeEntry::Kind::kSocket, .socket = {.inode = stat.inode, .modified = stat.modified}};
}

class TreeReader {
 public:
  TreeReader(FileSystem& files, const SocketTreeOptions& options,
             absl::FunctionRef<void(const std::string&)> before_listing)
      : files_(files), options_(options), before_listing_(before_listing) {}

  SocketTree Read(const std::string& folder) && {
    pending_.push_back(folder);
    while (!pending_.empty()) {
      const std::string next = std::move(pending_.back());
      pending_.pop_back();
      ReadFolder(next);
    }
    return std::move(tree_);
  }

 private:
  void ReadFolder(const std::string& folder) {
    if (tree_.folders.size() >= options_.max_folders) {
      return LeaveOut(absl::ResourceExhaustedError(
          absl::StrCat(folder, " is left out: at most ", options_.max_folders, " folders are looked at")));
    }
    before_listing_(folder);
    const absl::StatusOr<std::vector<std::string>> names = files_.List(folder);
    if (!names.ok()) return LeaveOut(names.status());
    tree_.folders.push_back(folder);
    for (const std::string& name : *names) {
      if (name.front() == '.') continue;
      if (entries_ >= options_.max_entries) {
        return LeaveOut(absl::ResourceExhaustedError(
            absl::StrCat(folder, " is left out in part: at most ", options_.max_entries, " entries are looked at")));
      }
      ++entries_;
      ReadEntry(JoinPath(folder, name));
    }
  }

  void ReadEntry(const std::string& path) {
    const absl::StatusOr<TreeEntry> entry = LookAt(files_, path, options_);
    if (!entry.ok()) return LeaveOut(entry.status());
    switch (entry->kind) {
      case TreeEntry::Kind::kSocket:
        tree_.sockets.emplace(path, entry->socket);
        break;
      case TreeEntry::Kind::kFolder:
        pending_.push_back(path);
        break;
      case TreeEntry::Kind::kLink:
        tree_.links.push_back(path);
        break;
      case TreeEntry::Kind::kOther:
        break;
    }
  }

  void LeaveOut(const absl::Status& error) {
    if (absl::IsNotFound(error)) return;
    tree_.complete = false;
    tree_.errors.push_back(error);
  }

  FileSystem& files_;
  const SocketTreeOptions& options_;
  const absl::FunctionRef<void(const std::string&)> before_listing_;
  SocketTree tree_;
  std::vector<std::string> pending_;
  size_t entries_ = 0;
};

}  // namespace

absl::StatusOr<TreeEntry> LookAt(FileSystem& files, const std::string& path, const SocketTreeOptions& options) {
  ASSIGN_OR_RETURN(const FileStat stat, files.Lstat(path));
  if (stat.kind == FileKind::kSocket) return SocketOf(stat);
  if (stat.kind == FileKind::kFolder) return TreeEntry{.kind = TreeEntry::Kind::kFolder};
  if (stat.kind != FileKind::kSymlink) return TreeEntry{.kind = TreeEntry::Kind::kOther};
  if (!options.follow_links) return TreeEntry{.kind = TreeEntry::Kind::kLink};
  ASSIGN_OR_RETURN(const FileStat target, files.Stat(path));
  if (target.kind == FileKind::kSocket) return SocketOf(target);
  return TreeEntry{.kind = TreeEntry::Kind::kOther};
}

SocketTree ReadSocketTree(FileSystem& files, const std::string& folder, const SocketTreeOptions& options,
                          absl::FunctionRef<void(const std::string&)> before_listing) {
  return TreeReader(files, options, before_listing).Read(folder);
}

}  // namespace kubelet_cm::pluginwatcher
