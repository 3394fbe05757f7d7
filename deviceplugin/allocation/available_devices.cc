#include "deviceplugin/allocation/available_devices.h"

#include "deviceplugin/allocation/device_holders.h"

namespace kubelet_cm::deviceplugin {

std::vector<CandidateDevice> AvailableDevices(const DeviceList& devices, const DeviceLedger& ledger,
                                              std::string_view resource) {
  const DeviceHolders* const taken = ledger.Holders(resource);
  std::vector<CandidateDevice> available;
  available.reserve(devices.healthy_count());
  for (const ListedDevice& device : devices.devices()) {
    if (!device.healthy || (taken != nullptr && taken->IsHeld(device.id))) continue;
    available.push_back({.id = device.id, .numa_nodes = device.numa_nodes});
  }
  return available;
}

}  // namespace kubelet_cm::deviceplugin
