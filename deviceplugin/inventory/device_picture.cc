#include "deviceplugin/inventory/device_picture.h"

#include <utility>

#include "absl/types/span.h"
#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {

DevicePicture::DevicePicture(std::shared_ptr<const DeviceList> list) : list_(std::move(list)) {
  CHECK(list_ != nullptr);
}

DevicePicture DevicePicture::Lost() const {
  DevicePicture lost = *this;
  lost.lost_ = true;
  return lost;
}

DeviceHealth DevicePicture::HealthOf(const ListedDevice& device) const {
  if (lost_) return DeviceHealth::kUnknown;
  return device.healthy ? DeviceHealth::kHealthy : DeviceHealth::kUnhealthy;
}

DeviceHealth DevicePicture::HealthOf(std::string_view id) const {
  const ListedDevice* device = list_->Find(id);
  return device == nullptr ? DeviceHealth::kUnknown : HealthOf(*device);
}

DeviceIds DevicePicture::HealthyIds() const {
  DeviceIds ids;
  if (lost_) return ids;
  ids.reserve(list_->healthy_count());
  for (const ListedDevice& device : list_->devices()) {
    if (device.healthy) ids.push_back(device.id);
  }
  return ids;
}

PictureChange PictureChange::Between(const DevicePicture& before, const DevicePicture& after) {
  PictureChange change;
  if (before.list_ == after.list_ && before.lost_ == after.lost_) return change;
  const auto compare = [&change](const std::string& id, DeviceHealth was, DeviceHealth is) {
    if (was == is) return;
    change.health_changed.push_back(id);
    if (was == DeviceHealth::kHealthy || is == DeviceHealth::kHealthy) change.healthy_ids_changed = true;
  };
  const absl::Span<const ListedDevice> old_devices = before.list_->devices();
  const absl::Span<const ListedDevice> new_devices = after.list_->devices();
  auto o = old_devices.begin();
  auto n = new_devices.begin();
  while (o != old_devices.end() || n != new_devices.end()) {
    // Below 0: only the old picture has this id; above 0: only the new one.
    const int order = o == old_devices.end() ? 1 : n == new_devices.end() ? -1 : o->id.compare(n->id);
    if (order < 0) {
      compare(o->id, before.HealthOf(*o), DeviceHealth::kUnknown);
    } else if (order > 0) {
      compare(n->id, DeviceHealth::kUnknown, after.HealthOf(*n));
    } else {
      compare(o->id, before.HealthOf(*o), after.HealthOf(*n));
    }
    if (order <= 0) ++o;
    if (order >= 0) ++n;
  }
  return change;
}

}  // namespace kubelet_cm::deviceplugin
