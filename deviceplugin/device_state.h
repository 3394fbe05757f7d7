// DeviceState: what the device manager knows, and the lock above it. The manager's rooms share it: each takes the lock,
// asks or changes the value code below it, and does everything that can wait (calls, writes, logging) without it.
//
// Whoever changes what the state file holds calls Changed() before it gives the lock back, and waits for the number, or
// leaves that to the housekeeper.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_STATE_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_STATE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "common/clock/monotonic_time.h"
#include "common/node/pod.h"
#include "common/threads/mutex.h"
#include "deviceplugin/allocation/device_ledger.h"
#include "deviceplugin/allocation/reusable_devices.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/entry_size.h"
#include "deviceplugin/device_checkpoint.h"
#include "deviceplugin/device_restore.h"
#include "deviceplugin/inventory/device_inventory.h"

namespace kubelet_cm::deviceplugin {

// How much of what outsiders bring is kept. Beyond it nothing is taken, so that the state file can always be written
// and be read again.
struct DeviceLimits {
  // Of the state file: what one container has of one resource. Readers take no more than this.
  size_t entry_bytes = kMaxDeviceEntryBytes;
  // Of the state file: ids in the lists of all plugins together.
  size_t listed_bytes = size_t{64} << 20;
  // And these and all allocations together.
  size_t file_bytes = kMaxDeviceStateBytes;
};

class DeviceState : public DeviceChangeSource {
 public:
  // The state that `restored` describes: its entries, and each resource that it names with its plugin gone since `now`.
  // What could not be taken over, and what is odd, is added to `problems`.
  DeviceState(const DeviceRestore& restored, MonotonicTime now, std::vector<CheckpointProblem>* problems,
              DeviceLimits limits = {}, const InventoryRules& rules = {});

  // A new state for the file. Returns its number.
  uint64_t Changed() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) { return ++number; }
  uint64_t RegisteredChanged() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    registered_changed = true;
    return Changed();
  }

  // Whether a device plugin answers for the resource, or has: then nobody gets it without a device.
  bool IsDeviceResource(std::string_view resource) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    return inventory.Knows(std::string(resource)) || ledger.KnowsResource(resource);
  }

  // What the container can take over of its pod's others (allocation/reusable_devices.h), as far as it is healthy: an
  // ill device would keep it from what is free.
  std::vector<std::string> Reusable(const Pod& pod, const std::string& resource, std::string_view container_name,
                                    SidecarDevices sidecars) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

  DeviceChanges TakeChanges() override ABSL_LOCKS_EXCLUDED(mu);

  const DeviceLimits limits;
  mutable Mutex mu;
  DeviceInventory inventory ABSL_GUARDED_BY(mu);
  DeviceLedger ledger ABSL_GUARDED_BY(mu);
  uint64_t number ABSL_GUARDED_BY(mu) = 0;  // of the newest state; 0 is what was restored
  bool registered_changed ABSL_GUARDED_BY(mu) = false;
  // Pods for which an allocation is under way.
  absl::flat_hash_set<std::string> allocating ABSL_GUARDED_BY(mu);
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_STATE_H_
