// PodStore: the folder in which the daemon remembers the pods that it admitted: one file a pod, named after its uid.
//
// An answer means that the file survives a power cut. A file that is damaged is set aside, never deleted; under
// RecoverPolicy::kStrict loading fails instead.
#ifndef KUBELET_CM_KUBELET_CM_PODS_POD_STORE_H_
#define KUBELET_CM_KUBELET_CM_PODS_POD_STORE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "kubelet_cm/pods/pod_codec.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {

// Thread-safe for different pods; one pod has one caller at a time.
class PodStore {
 public:
  struct Options {
    std::string folder;   // its own; made when missing
    std::string boot_id;  // of the machine now
    RecoverPolicy recover = RecoverPolicy::kQuarantine;
  };
  struct Problem {
    std::string file;  // in the folder
    absl::Status error;
  };
  struct Loaded {
    std::vector<StoredRecord> records = {};  // by uid
    std::vector<Problem> damaged = {};       // SetAside is for them
    std::vector<std::string> strays = {};    // what no store made: left alone
  };

  // Makes the folder. What is given outlives the store.
  static absl::StatusOr<std::unique_ptr<PodStore>> New(FileSystem& files, Random& random, Options options);

  // Reads all files, on several threads when there are many; sweeps leftovers of killed writers. For the time before
  // the first Save.
  absl::StatusOr<Loaded> Load(Threads& threads);
  // Puts a damaged file out of the way; returns its new name.
  absl::StatusOr<std::string> SetAside(const std::string& file, absl::Time now);

  // InvalidArgument for a pod whose uid cannot be a file's name.
  absl::Status Save(const PodRecord& record);
  // A pod that is not there is no error.
  absl::Status Remove(const std::string& uid);

 private:
  PodStore(FileSystem& files, Options options, std::unique_ptr<CheckpointManager> manager)
      : files_(files), options_(std::move(options)), manager_(std::move(manager)) {}

  // FailedPrecondition for a name that no store gives.
  absl::StatusOr<StoredRecord> Read(const std::string& name);
  // In the order of the names.
  std::vector<absl::StatusOr<StoredRecord>> ReadAll(const std::vector<std::string>& names, Threads& threads);

  FileSystem& files_;
  const Options options_;
  const std::unique_ptr<CheckpointManager> manager_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_PODS_POD_STORE_H_
