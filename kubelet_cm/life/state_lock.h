// StateLock: that one daemon, and no other, works on a root folder. The lock is the kernel's, on a file in the folder:
// it ends with the process, however that ends.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_STATE_LOCK_H_
#define KUBELET_CM_KUBELET_CM_LIFE_STATE_LOCK_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm::life {

// The file's name in the root folder.
inline constexpr char kLockFile[] = "kubelet_cm.lock";

class StateLock {
 public:
  // Makes `folder` (0750) where it is missing, and locks it. kUnavailable, with the process id of who has it, when
  // another has. `files` outlives the lock.
  static absl::StatusOr<std::unique_ptr<StateLock>> Take(FileSystem& files, const std::string& folder, int process_id);

  // Gives it back. The file stays: removing it could let two think that they are alone.
  ~StateLock() = default;
  StateLock(const StateLock&) = delete;
  StateLock& operator=(const StateLock&) = delete;

 private:
  explicit StateLock(std::unique_ptr<File> file) : file_(std::move(file)) {}

  const std::unique_ptr<File> file_;
};

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_STATE_LOCK_H_
