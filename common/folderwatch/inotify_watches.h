// InotifyWatches: folder watches of the Linux kernel. Each is an inotify instance, of which a user has 128 by default.
#ifndef KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_WATCHES_H_
#define KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_WATCHES_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/clock/clock.h"
#include "common/folderwatch/folder_watch.h"

namespace kubelet_cm {

class InotifyWatches : public FolderWatches {
 public:
  // Deadlines are of `clock`, which goes by itself and outlives this.
  explicit InotifyWatches(const Clock& clock) : clock_(clock) {}

  absl::StatusOr<std::unique_ptr<FolderWatch>> New() override;

 private:
  const Clock& clock_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FOLDERWATCH_INOTIFY_WATCHES_H_
