#include "kubelet_cm/pluginwatcher/socket_folder.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::pluginwatcher {
namespace {

constexpr uint32_t kFolderPermissions = 0750;
// So that a flood of events does not keep it looking at everything all the time.
constexpr absl::Duration kShortestLookInterval = absl::Seconds(1);
constexpr size_t kMaxRememberedLinks = 1000;

}  // namespace

absl::StatusOr<std::unique_ptr<SocketFolder>> SocketFolder::New(const Dependencies& dependencies,
                                                                const Options& options) {
  absl::StatusOr<std::unique_ptr<FolderWatch>> watch = dependencies.watches.New();
  absl::Status ready = watch.status();
  std::unique_ptr<SocketFolder> folder;
  if (watch.ok()) {
    folder.reset(new SocketFolder(dependencies, options, *std::move(watch)));
    ready = folder->Prepare();
  }
  if (!ready.ok()) {
    return absl::Status(ready.code(), absl::StrCat("failed to start plugin fsWatcher, err: ", ready.message()));
  }
  folder->LookAtAll();
  return folder;
}

SocketFolder::SocketFolder(const Dependencies& dependencies, const Options& options, std::unique_ptr<FolderWatch> watch)
    : deps_(dependencies), options_(options), watch_(std::move(watch)) {}

absl::Status SocketFolder::Prepare() {
  RETURN_IF_ERROR(deps_.files.MakeFolders(options_.folder, kFolderPermissions));
  RETURN_IF_ERROR(watch_->Add(options_.folder));
  watched_.insert(options_.folder);
  return absl::OkStatus();
}

void SocketFolder::Run() {
  while (true) {
    const std::vector<FolderEvent> events = watch_->WaitUntil(next_look_);
    for (const FolderEvent& event : events) Hear(event);
    if (deps_.clock.MonotonicNow() >= next_look_) {
      LookAtAll();
    } else if (events.empty()) {
      return;  // stopped
    }
  }
}

void SocketFolder::LookAtAll() {
  last_look_ = deps_.clock.MonotonicNow();
  next_look_ = last_look_ + options_.look_interval;
  if (const absl::Status ready = Prepare(); !ready.ok()) {
    deps_.log.Error(ready, "The plugin folder cannot be watched", {{"path", options_.folder}});
  }
  const SocketTree tree = Look(options_.folder);
  tree.complete ? deps_.listener.OnFoundAll(tree.sockets) : deps_.listener.OnFound(tree.sockets);
}

void SocketFolder::Hear(const FolderEvent& event) {
  switch (event.kind) {
    case FolderEvent::Kind::kAppeared:
      return HearAppeared(event.path);
    case FolderEvent::Kind::kVanished:
      return HearVanished(event.path);
    case FolderEvent::Kind::kWritten:
      return;
    case FolderEvent::Kind::kLost:
      deps_.log.Warning("Events of the plugin folder were lost, looking at all of it", {{"path", options_.folder}});
      next_look_ = std::min(next_look_, last_look_ + kShortestLookInterval);
      return;
  }
}

void SocketFolder::HearAppeared(const std::string& path) {
  if (absl::StartsWith(NameOf(path), ".")) return;
  const absl::StatusOr<TreeEntry> entry = LookAt(deps_.files, path, options_.tree);
  if (!entry.ok()) {
    // It may be gone already; then that is heard of, too.
    if (!absl::IsNotFound(entry.status())) deps_.log.Error(entry.status(), "stat file failed", {{"path", path}});
    return;
  }
  if (entry->kind == TreeEntry::Kind::kSocket) deps_.listener.OnFound({{path, entry->socket}});
  if (entry->kind == TreeEntry::Kind::kFolder) deps_.listener.OnFound(Look(path).sockets);
  if (entry->kind == TreeEntry::Kind::kLink) Report({.links = {path}});
}

void SocketFolder::HearVanished(const std::string& path) {
  if (path == options_.folder) {
    next_look_ = std::min(next_look_, last_look_ + kShortestLookInterval);
  }
  watched_.erase(path);
  const std::string below = absl::StrCat(path, "/");
  for (auto folder = watched_.lower_bound(below); folder != watched_.end() && absl::StartsWith(*folder, below);) {
    watch_->Remove(*folder);
    folder = watched_.erase(folder);
  }
  watch_->Remove(path);
  deps_.listener.OnVanished(path);
}

SocketTree SocketFolder::Look(const std::string& folder) {
  SocketTree tree =
      ReadSocketTree(deps_.files, folder, options_.tree, [this](const std::string& found) { Watch(found); });
  Report(tree);
  return tree;
}

void SocketFolder::Watch(const std::string& folder) {
  // Beyond the limit it is looked at once in a while. One that is watched already may be another folder by now.
  if (!watched_.contains(folder) && watched_.size() >= options_.tree.max_folders) return;
  if (const absl::Status added = watch_->Add(folder); !added.ok()) {
    if (!absl::IsNotFound(added)) deps_.log.Error(added, "A folder of plugins cannot be watched", {{"path", folder}});
    return;
  }
  watched_.insert(folder);
}

void SocketFolder::Report(const SocketTree& tree) {
  for (const absl::Status& error : tree.errors) {
    deps_.log.Error(error, "Failed to traverse plugin socket path", {{"path", options_.folder}});
  }
  for (const std::string& link : tree.links) {
    if (refused_links_.size() >= kMaxRememberedLinks || !refused_links_.insert(link).second) continue;
    deps_.log.Warning("A symbolic link in the plugin folder is not followed", {{"path", link}});
  }
}

}  // namespace kubelet_cm::pluginwatcher
