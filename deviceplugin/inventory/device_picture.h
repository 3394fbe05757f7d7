// DevicePicture: what is known of a resource's devices at one moment, and what differs between two moments.
#ifndef KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_PICTURE_H_
#define KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_PICTURE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "deviceplugin/checkpoint/device_content.h"
#include "deviceplugin/inventory/device_list.h"

namespace kubelet_cm::deviceplugin {

enum class DeviceHealth {
  kHealthy,
  kUnhealthy,
  kUnknown,  // the plugin is gone, or does not list the device any more
};

// A plain value.
class DevicePicture {
 public:
  // No devices.
  DevicePicture() = default;
  // What a connected plugin has sent; not null.
  explicit DevicePicture(std::shared_ptr<const DeviceList> list);

  // The same devices once no plugin is there to answer for them: they still count, and none is healthy.
  DevicePicture Lost() const;

  const std::shared_ptr<const DeviceList>& list() const { return list_; }
  DeviceHealth HealthOf(std::string_view id) const;
  int64_t healthy_count() const { return lost_ ? 0 : static_cast<int64_t>(list_->healthy_count()); }
  int64_t count() const { return static_cast<int64_t>(list_->size()); }
  // Sorted.
  DeviceIds HealthyIds() const;

  friend bool operator==(const DevicePicture& a, const DevicePicture& b) {
    return a.lost_ == b.lost_ && (a.list_ == b.list_ || *a.list_ == *b.list_);
  }

 private:
  friend struct PictureChange;
  DeviceHealth HealthOf(const ListedDevice& device) const;

  std::shared_ptr<const DeviceList> list_ = DeviceList::Empty();
  bool lost_ = false;
};

// From one picture to the next, in a time linear in their devices.
struct PictureChange {
  static PictureChange Between(const DevicePicture& before, const DevicePicture& after);

  // The ids whose HealthOf is another; so also those that appeared or vanished. Sorted.
  std::vector<std::string> health_changed = {};
  // Whether HealthyIds() is another.
  bool healthy_ids_changed = false;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_INVENTORY_DEVICE_PICTURE_H_
