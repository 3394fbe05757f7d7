// FreeDevices: which devices of a list are free, kept from one question to the next: a plugin tells of a new list
// seldom, and between two admissions few devices change hands. Asking then costs what is free, and a bit for each other
// device.
//
// Value code without a lock: the ledger's, which tells it of each device that is taken and dropped.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_FREE_DEVICES_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_FREE_DEVICES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "deviceplugin/allocation/device_holders.h"
#include "deviceplugin/allocation/device_picker.h"
#include "deviceplugin/inventory/device_list.h"

namespace kubelet_cm::deviceplugin {

class FreeDevices {
 public:
  // `list` is not null. Costs a look at each of its devices.
  FreeDevices(std::shared_ptr<const DeviceList> list, const DeviceHolders& holders);

  const DeviceList& list() const { return *list_; }
  // The device is held by somebody now, or by nobody any more. One that is not listed makes no difference.
  void SetHeld(std::string_view device, bool held);
  // Sorted by id; refers to the list.
  std::vector<CandidateDevice> Devices() const;

 private:
  std::shared_ptr<const DeviceList> list_;
  std::vector<uint64_t> free_;  // a bit for each device, in the list's order
  size_t count_ = 0;            // of bits that are set
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_FREE_DEVICES_H_
