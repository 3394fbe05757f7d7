// The checksum of a device checkpoint: FNV-1a over Go's print of the content.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKSUM_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKSUM_H_

#include <cstdint>
#include <string>

#include "checkpointmanager/checksum/go_dump.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {

// The text under the checksum, as a whole: for showing and for tests. `layout` is one with checksums.
std::string DeviceDumpText(const DeviceContent& content, DeviceLayout layout);

uint32_t DeviceChecksum(const DeviceContent& content, DeviceLayout layout);

// The parts of that text, for who keeps the checksum of the rest. Between two entries and between two resources stands
// a space; in front of the entries the first of these, and so on. Only where there are entries: nil prints otherwise.
inline constexpr char kDumpBeforeEntries[] =
    "(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)[";
inline constexpr char kDumpWithoutEntries[] =
    "(checkpoint.checkpointData){PodDeviceEntries:([]checkpoint.PodDevicesEntry)<nil>";
inline constexpr char kDumpAfterEntries[] = "]";
inline constexpr char kDumpBeforeRegistered[] = " RegisteredDevices:(map[string][]string)map[";
inline constexpr char kDumpAfterRegistered[] = "]}";
void PrintDeviceEntry(const DeviceEntry& entry, DeviceLayout layout, GoDump& dump);
void PrintRegistered(const RegisteredDevices::value_type& resource, GoDump& dump);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_CHECKSUM_H_
