// Writes device checkpoints in any format, byte for byte as the kubelets do that write that format.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_ENCODER_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_ENCODER_H_

#include <string>
#include <vector>

#include "common/gotext/json_string.h"
#include "common/gotext/json_writer.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {

// The whole file, checksum included where the format has one.
std::string EncodeDevices(const DeviceContent& content, DeviceLayout layout,
                          ControlEscapes escapes = ControlEscapes::kShort);

// What the format cannot hold of the content, a sentence each; empty if encoding loses nothing. Nil and empty lists
// count as equal here.
std::vector<std::string> LostByEncoding(const DeviceContent& content, DeviceFormat format);

// One entry and the registered devices, as they stand in a file of a format from 1.9 on.
void WriteDeviceEntry(const DeviceEntry& entry, DeviceLayout layout, JsonWriter* writer);
void WriteRegistered(const std::optional<RegisteredDevices>& registered, JsonWriter* writer);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_ENCODER_H_
