// PodHistory: the pods that were on the node before this start: those that the daemon remembers, and those that a
// kubelet has left.
//
//   ASSIGN_OR_RETURN(const NodeStart found, history.Restore());
//   ... the managers restore their state files; the socket at which plugins register is made ...
//   RETURN_IF_ERROR(history.Adopt(devices, claims));
//
// A start that ends anywhere in between is no harm: the next one finds the same, and adopts what this one did not. The
// socket for pod resources is made after all of it.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_POD_HISTORY_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_POD_HISTORY_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/node/node_start.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "deviceplugin/device_manager.h"
#include "dra/dra_manager.h"
#include "kubelet_cm/life/tenure_record.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// One thread at a time.
class PodHistory {
 public:
  // All of it outlives the object.
  struct Dependencies {
    FileSystem& files;
    Threads& threads;
    Random& random;
    Logger& log;
    PodTable& pods;
    PodStore& store;
  };
  struct Options {
    std::string root = {};
    std::string pods_folder = {};
    life::TenureSockets sockets = {};
    std::string boot_id = {};  // of the machine now
    absl::Time now = {};
  };

  PodHistory(const Dependencies& dependencies, Options options) : deps_(dependencies), options_(std::move(options)) {}

  // Puts the remembered pods into the table. Before the registration socket is replaced.
  absl::StatusOr<NodeStart> Restore();

  // Puts pods into the table, and on the disk, of which only the managers' state files know, where there may be some.
  // `claims` may be null. The node is the daemon's from then on.
  absl::Status Adopt(deviceplugin::DeviceManager& devices, dra::DraManager* claims);

  // What was found, for people: "pods: 3".
  const std::vector<std::string>& found() const { return found_; }

 private:
  absl::Status SetAside(const std::vector<PodStore::Problem>& damaged);
  void BeginTenure();
  absl::Status RecordTenure();

  const Dependencies deps_;
  const Options options_;
  bool adopting_ = false;  // state files may know of pods that the daemon has never heard of
  std::vector<std::string> found_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_POD_HISTORY_H_
