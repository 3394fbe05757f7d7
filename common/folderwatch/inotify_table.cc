#include "common/folderwatch/inotify_table.h"

#include <sys/inotify.h>

#include <cstring>

#include "absl/strings/string_view.h"
#include "common/filesystem/path.h"

namespace kubelet_cm {
namespace {

std::optional<FolderEvent::Kind> KindOf(uint32_t mask) {
  if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) return FolderEvent::Kind::kAppeared;
  if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) return FolderEvent::Kind::kVanished;
  if ((mask & IN_CLOSE_WRITE) != 0) return FolderEvent::Kind::kWritten;
  return std::nullopt;
}

}  // namespace

const uint32_t InotifyTable::kMask =
    IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

void InotifyTable::Added(int watch, const std::string& folder) {
  const auto [known, is_new] = watches_.try_emplace(folder, watch);
  if (!is_new && known->second != watch) {
    // The folder that was watched under this name has moved or gone; what is still heard of it has a wrong name.
    if (const auto old = names_.find(known->second); old != names_.end()) {
      old->second.erase(folder);
      if (old->second.empty()) names_.erase(old);
    }
    known->second = watch;
  }
  names_[watch].insert(folder);
}

std::optional<int> InotifyTable::Removed(const std::string& folder) {
  const auto known = watches_.find(folder);
  if (known == watches_.end()) return std::nullopt;
  const int watch = known->second;
  watches_.erase(known);
  const auto names = names_.find(watch);
  names->second.erase(folder);
  if (!names->second.empty()) return std::nullopt;
  names_.erase(names);
  return watch;
}

InotifyTable::Heard InotifyTable::Translate(std::string_view bytes) {
  Heard heard;
  while (bytes.size() >= sizeof(inotify_event)) {
    inotify_event event;
    std::memcpy(&event, bytes.data(), sizeof(event));
    bytes.remove_prefix(sizeof(event));
    if (event.len > bytes.size()) break;
    // The name is padded with NULs.
    const std::string_view name = bytes.substr(0, event.len);
    TranslateOne(event.wd, event.mask, name.substr(0, name.find('\0')), heard);
    bytes.remove_prefix(event.len);
  }
  return heard;
}

void InotifyTable::TranslateOne(int watch, uint32_t mask, std::string_view name, Heard& heard) {
  if ((mask & IN_Q_OVERFLOW) != 0) {
    heard.events.push_back({.kind = FolderEvent::Kind::kLost});
    return;
  }
  const auto names = names_.find(watch);
  if (names == names_.end()) return;
  if ((mask & IN_IGNORED) != 0) {
    Forget(watch, heard);
  } else if ((mask & IN_MOVE_SELF) != 0) {
    Forget(watch, heard);
    heard.finished.push_back(watch);
  } else if (const std::optional<FolderEvent::Kind> kind = KindOf(mask); kind.has_value() && !name.empty()) {
    for (const std::string& folder : names->second) {
      heard.events.push_back({.kind = *kind, .path = JoinPath(folder, absl::string_view(name.data(), name.size()))});
    }
  }
}

void InotifyTable::Forget(int watch, Heard& heard) {
  const auto names = names_.find(watch);
  for (const std::string& folder : names->second) {
    heard.events.push_back({.kind = FolderEvent::Kind::kVanished, .path = folder});
    watches_.erase(folder);
  }
  names_.erase(names);
}

}  // namespace kubelet_cm
