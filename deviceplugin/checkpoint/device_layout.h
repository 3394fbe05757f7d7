// The layouts of a device checkpoint: the file formats, and what the Go code that reads each calls its types. Type
// names appear in Go's errors and in the text under the checksum.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_LAYOUT_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_LAYOUT_H_

#include <string_view>

#include "common/personality/personality.h"

namespace kubelet_cm::deviceplugin {

enum class DeviceLayout {
  kV0Of18,
  kV0Of19,
  kV1,
  // V1 as kubelets read it that write v2 (1.20.14 to 1.30): with types of other names, of which they replace the names
  // in the text under the checksum, device ids that contain such a name included.
  kV1Fallback,
  kV2,
};

// As the kubelets that write the format read it.
DeviceLayout LayoutOf(DeviceFormat format);
DeviceFormat FormatOf(DeviceLayout layout);

// Whether the file has a checksum and, around the content, an object of its own.
bool IsChecksummed(DeviceLayout layout);

// The names of the Go types.
struct DeviceTypes {
  std::string_view file;     // the type of the whole file
  std::string_view content;  // the type of its Data
  std::string_view entries;  // the list
  std::string_view entry;
  std::string_view devices;       // of an entry's devices
  std::string_view error_prefix;  // in front of what encoding/json complains of
};
const DeviceTypes& TypesOf(DeviceLayout layout);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_LAYOUT_H_
