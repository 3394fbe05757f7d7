// Reads what is left in a damaged device checkpoint: whole entries, wherever they stand, and whole lists of registered
// devices. What is cut off or no longer JSON is left out and named.
//
// Nothing vouches for the outcome: an entry with a letter changed is a whole entry. Where the file is readable and only
// its checksum is wrong, all of it is kept.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_SALVAGE_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_SALVAGE_H_

#include <cstddef>
#include <string_view>
#include <vector>

#include "checkpointmanager/checkpoint_problem.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

struct DeviceSalvage {
  DeviceContent content;  // in the newest form
  size_t entries_lost = 0;
  std::vector<CheckpointProblem> problems;  // what was lost or cannot be vouched for; empty for a valid file
};

// Pure function; any bytes are fine as input. Takes time in proportion to their number.
DeviceSalvage SalvageDevices(std::string_view bytes);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_SALVAGE_H_
