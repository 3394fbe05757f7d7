#include "deviceplugin/allocation/available_devices.h"

namespace kubelet_cm::deviceplugin {

std::vector<CandidateDevice> AvailableDevices(const DeviceList& devices, const DeviceLedger& ledger,
                                              std::string_view resource) {
  std::vector<CandidateDevice> available;
  available.reserve(devices.healthy_count());
  for (const ListedDevice& device : devices.devices()) {
    if (!device.healthy || ledger.IsTaken(resource, device.id)) continue;
    available.push_back({.id = device.id, .numa_nodes = device.numa_nodes});
  }
  return available;
}

}  // namespace kubelet_cm::deviceplugin
