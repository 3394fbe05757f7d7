// What the device manager's state file held when the process started.
//
// Every format is read that the emulated kubelet reads; `latest` reads all there were. Nothing is changed by a restore
// but a file that cannot be used: it is set aside, or (RecoverPolicy::kStrict) the start fails.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_RESTORE_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_RESTORE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_recovery.h"
#include "common/log/logger.h"
#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

inline constexpr char kDeviceCheckpointKey[] = "kubelet_internal_checkpoint";

struct DeviceRestore {
  RecoveryOutcome outcome = RecoveryOutcome::kFresh;
  std::optional<DeviceFormat> format = {};  // of the file, if it was used
  DeviceContent content = {};               // in the newest form
  std::string bytes = {};                   // of the file, if it was used
  // Whether node 0 may mean in the newest format, too, that nothing is known of a device: kubelets of 1.20 to 1.22
  // write it for that, and so does whoever rewrites a file of an older format before the plugin has told of its nodes.
  // Not for an emulated kubelet, which takes such a file as it is.
  bool doubts_node_zero = false;
  // Resources that a file which cannot be used speaks of. Nothing vouches for who held their devices, but their plugins
  // have been here: whoever asks for one before its plugin is back must not be admitted without devices. Sorted. Empty
  // for an emulated kubelet, which forgets them.
  std::vector<std::string> lost_resources = {};
};

// For the time before anything else uses the file. Logs what it found.
absl::StatusOr<DeviceRestore> RestoreDevices(const RecoverySetting& setting, const Personality& kubelet, Logger& log);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_RESTORE_H_
