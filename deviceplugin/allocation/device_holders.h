// DeviceHolders: which pods hold which devices of one resource, and how often.
//
// A pod may hold a device several times: in an init container's entry, in that of the app container that took it over,
// in a reservation. That two pods hold one device happens only when a damaged state file says so; it is kept, so that
// nothing is lost, and the device is free only when both are gone.
//
// A pod is given as a pointer to its uid, which stays where it is as long as the pod holds anything. Every operation
// looks at one device and costs the same however many there are. Plain value code; one thread at a time.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_HOLDERS_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_HOLDERS_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/node_hash_map.h"

namespace kubelet_cm::deviceplugin {

class DeviceHolders {
 public:
  using PodRef = const std::string*;

  // How many devices are held by any pod.
  size_t size() const { return devices_.size(); }
  void Reserve(size_t devices) { devices_.reserve(devices); }

  // The pod holds the device once more. Returns a pod that holds it as well; null if there is none.
  PodRef Take(PodRef pod, std::string_view device);
  // Once less. The device must be held by the pod.
  void Drop(PodRef pod, std::string_view device);

  bool IsHeld(std::string_view device) const;
  bool IsHeldByOther(std::string_view device, std::string_view pod_uid) const;
  // The uids of the pods that hold it, sorted.
  std::vector<std::string> PodsOf(std::string_view device) const;

 private:
  using Counts = absl::flat_hash_map<PodRef, size_t>;
  struct Holders {
    PodRef pod = nullptr;
    size_t count = 0;
    std::unique_ptr<Counts> others;  // null unless several pods hold the device; never empty
  };

  // Small slots: a restart fills it with tens of thousands at once, all over it.
  absl::node_hash_map<std::string, Holders> devices_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_DEVICE_HOLDERS_H_
