// CheckpointManager: named state files in one folder, replaced atomically. It knows no format: callers bring the bytes,
// and objects that can marshal, unmarshal and verify themselves.
//
// Differs from the kubelet's in that an answer means that the file survives a power cut, and in that the size of a
// file is bounded.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_MANAGER_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_MANAGER_H_

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint.h"
#include "common/filesystem/file_system.h"
#include "common/filesystem/replaced_file.h"
#include "common/random/random.h"

namespace kubelet_cm {

// More is an error, in reading and in writing: no kubelet wrote such a file.
inline constexpr size_t kMaxCheckpointBytes = size_t{256} << 20;

// Thread-safe as far as the file system is, for different keys; one key has one writer at a time (CheckpointWriter).
class CheckpointManager {
 public:
  // Makes `folder` (0755) when it is missing, and makes durable what is in it: what is read is what a power cut leaves.
  // What is given outlives the manager.
  static absl::StatusOr<std::unique_ptr<CheckpointManager>> New(FileSystem& file_system, Random& random,
                                                                std::string folder);

  // Replaces the file of `key`, which is 0600. Durable when it returns OK. ResourceExhausted for more than
  // kMaxCheckpointBytes: the file stays as it is.
  absl::Status Create(std::string_view key, const Checkpoint& checkpoint);
  absl::Status Write(std::string_view key, std::string_view bytes);

  // The same for who writes one file again and again, and is the only one who does: large contents cost what changes in
  // them (ReplacedFile). `file` is what Replaced made of the key; what the manager was given outlives it.
  absl::StatusOr<std::unique_ptr<ReplacedFile>> Replaced(std::string_view key);
  absl::Status Write(ReplacedFile& file, std::string_view bytes);

  // Reads, unmarshals and verifies. NotFound ("checkpoint is not found") when there is no such file; `checkpoint` is
  // unspecified after any error.
  absl::Status Get(std::string_view key, Checkpoint& checkpoint);
  absl::StatusOr<std::string> Read(std::string_view key);

  // A file that is not there is no error. Durable when it returns OK.
  absl::Status Remove(std::string_view key);

  // Names in the folder, sorted, but for those that begin with a dot; as upstream, whatever they are the names of.
  absl::StatusOr<std::vector<std::string>> List();

  const std::string& folder() const { return folder_; }

 private:
  CheckpointManager(FileSystem& file_system, Random& random, std::string folder)
      : file_system_(file_system), random_(random), folder_(std::move(folder)) {}

  absl::StatusOr<std::string> PathOf(std::string_view key) const;
  // What comes before a file is replaced.
  absl::Status PrepareToWrite(const std::string& path, size_t bytes);
  // Somebody may have removed the folder since New.
  absl::Status MakeFolderAgain();

  FileSystem& file_system_;
  Random& random_;
  const std::string folder_;
  std::atomic<bool> folder_is_durable_ = true;  // its name and those of the folders above
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_MANAGER_H_
