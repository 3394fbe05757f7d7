#include "common/folderwatch/folder_watch.h"

namespace kubelet_cm {
namespace {

const char* NameOfKind(FolderEvent::Kind kind) {
  switch (kind) {
    case FolderEvent::Kind::kAppeared:
      return "appeared";
    case FolderEvent::Kind::kVanished:
      return "vanished";
    case FolderEvent::Kind::kWritten:
      return "written";
    case FolderEvent::Kind::kLost:
      return "events lost";
  }
  return "unknown";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const FolderEvent& event) {
  return out << NameOfKind(event.kind) << " " << event.path;
}

}  // namespace kubelet_cm
