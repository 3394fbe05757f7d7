#include "dra/device_trust.h"

#include <string>

#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

constexpr char kContent[] = "The devices in dra_manager_state are prepared: kubelet_cm wrote it.\n";

}  // namespace

absl::StatusOr<bool> DeviceTrust::Start(bool deserved) {
  const absl::StatusOr<std::string> content = files_.Read(kDeviceTrustKey);
  if (absl::IsNotFound(content.status())) return false;
  RETURN_IF_ERROR(content.status());
  if (deserved && *content == kContent) {
    given_ = true;
    return true;
  }
  RETURN_IF_ERROR(files_.Remove(kDeviceTrustKey));
  return false;
}

absl::Status DeviceTrust::Give() {
  if (given_.exchange(true)) return absl::OkStatus();
  absl::Status written = files_.Write(kDeviceTrustKey, kContent);
  if (!written.ok()) given_ = false;
  return written;
}

}  // namespace kubelet_cm::dra
