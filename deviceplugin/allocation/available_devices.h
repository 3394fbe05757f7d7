// What can be given to a container now: the devices of a resource that are healthy and held by nobody.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_AVAILABLE_DEVICES_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_AVAILABLE_DEVICES_H_

#include <string_view>
#include <vector>

#include "deviceplugin/allocation/device_ledger.h"
#include "deviceplugin/allocation/device_picker.h"
#include "deviceplugin/inventory/device_list.h"

namespace kubelet_cm::deviceplugin {

// Sorted by id; refers to `devices`, which a connected plugin has sent.
std::vector<CandidateDevice> AvailableDevices(const DeviceList& devices, const DeviceLedger& ledger,
                                              std::string_view resource);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_AVAILABLE_DEVICES_H_
