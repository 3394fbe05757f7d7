#include "deviceplugin/allocation/container_annotation.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::deviceplugin {

absl::StatusOr<std::optional<CdiAnnotation>> ContainerAnnotation(std::string_view pod_uid,
                                                                 std::string_view container_name,
                                                                 std::vector<std::string> cdi_devices) {
  if (cdi_devices.empty()) return std::nullopt;
  std::sort(cdi_devices.begin(), cdi_devices.end());
  cdi_devices.erase(std::unique(cdi_devices.begin(), cdi_devices.end()), cdi_devices.end());
  return MakeCdiAnnotation("devicemanager", absl::StrCat(std::string(pod_uid), "-", std::string(container_name)),
                           cdi_devices);
}

}  // namespace kubelet_cm::deviceplugin
