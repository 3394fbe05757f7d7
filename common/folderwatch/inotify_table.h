// InotifyTable: which folders an inotify instance watches, and what its bytes say of them. Value code: no call of the
// system is made here.
#ifndef KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_TABLE_H_
#define KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "common/folderwatch/folder_watch.h"

namespace kubelet_cm {

class InotifyTable {
 public:
  // The events to ask the system for.
  static const uint32_t kMask;

  // inotify_add_watch said `watch` to `folder`. Two names of one folder have one watch; a name may stand for another
  // folder than before.
  void Added(int watch, const std::string& folder);

  // The folder is watched no more under this name; the watch to be removed, if that was its last name.
  std::optional<int> Removed(const std::string& folder);

  struct Heard {
    std::vector<FolderEvent> events = {};
    std::vector<int> finished = {};  // watches to be removed: their folders have moved, and the names are wrong
  };
  // `bytes` are what a read of the instance gave. Events of watches that are not in the table are left out.
  Heard Translate(std::string_view bytes);

 private:
  void TranslateOne(int watch, uint32_t mask, std::string_view name, Heard& heard);
  void Forget(int watch, Heard& heard);

  absl::btree_map<int, absl::btree_set<std::string>> names_;  // by watch
  absl::btree_map<std::string, int> watches_;                 // by name
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_TABLE_H_
