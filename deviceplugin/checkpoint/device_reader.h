// Reads a device checkpoint: as this project does, which knows every format, or as a given kubelet would.
//
//   DeviceFile file = ReadDevices(bytes);                    // any format; content in the newest form
//   DeviceVerdict verdict = ReadDevicesAs(personality, bytes);  // what that kubelet makes of the same bytes
//
// Texts of errors are upstream's. Pure functions; any bytes are fine as input.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_READER_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "common/personality/personality.h"
#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {

// A file that is larger is not read.
inline constexpr size_t kMaxDeviceFileBytes = size_t{256} << 20;

// What came of reading the bytes in one layout.
struct DeviceAttempt {
  DeviceLayout layout = DeviceLayout::kV2;
  // OK: accepted. CorruptCheckpointError for a wrong checksum, InvalidArgument with Go's text and a JsonErrorOffset
  // for what is not JSON or has other types, ResourceExhausted beyond a limit.
  absl::Status status;
  // What was decoded; kept although the checksum is wrong, empty after the other errors. In the order and with the nils
  // of the file. For the 1.8 format one entry a device.
  DeviceContent content;
  std::optional<uint64_t> stored_checksum;
  std::optional<uint32_t> computed_checksum;
};

struct DeviceVerdict {
  absl::Status status;                  // the attempt's that counts
  std::optional<DeviceFormat> format;   // as which the file was accepted
  DeviceContent content;                // with which the kubelet goes on: nothing if it did not accept the file
  std::vector<DeviceAttempt> attempts;  // in the order in which the kubelet tries formats

  bool accepted() const { return status.ok(); }
};

// `personality` is a released kubelet's, or LatestPersonality() for the outcome of ReadDevices.
DeviceVerdict ReadDevicesAs(const Personality& personality, std::string_view bytes);

// A file as this project sees it.
struct DeviceFile {
  absl::Status status;                 // as in DeviceAttempt
  std::optional<DeviceFormat> format;  // nothing: not a device checkpoint, or no JSON
  // In the newest form. Of a file with a wrong checksum all that stands in it.
  DeviceContent content;
  std::optional<uint64_t> stored_checksum;
  std::optional<uint32_t> computed_checksum;
  std::vector<CheckpointProblem> problems;  // what `status` says, in words; empty if the file is valid

  bool valid() const { return status.ok(); }
};

DeviceFile ReadDevices(std::string_view bytes);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_READER_H_
