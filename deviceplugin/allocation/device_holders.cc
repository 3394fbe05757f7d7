#include "deviceplugin/allocation/device_holders.h"

#include <algorithm>

#include "absl/strings/string_view.h"
#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {
namespace {

// What the map's hash and comparison take.
absl::string_view Key(std::string_view device) { return {device.data(), device.size()}; }

}  // namespace

DeviceHolders::PodRef DeviceHolders::Take(PodRef pod, std::string_view device) {
  Holders& holders = devices_.try_emplace(Key(device)).first->second;
  if (holders.count == 0) holders.pod = pod;
  if (holders.pod == pod) {
    ++holders.count;
    return holders.others == nullptr ? nullptr : holders.others->begin()->first;
  }
  if (holders.others == nullptr) holders.others = std::make_unique<Counts>();
  ++(*holders.others)[pod];
  return holders.pod;
}

void DeviceHolders::Drop(PodRef pod, std::string_view device) {
  const auto found = devices_.find(Key(device));
  CHECK(found != devices_.end()) << "device " << device << " is held by nobody";
  Holders& holders = found->second;
  if (holders.pod != pod) {
    CHECK(holders.others != nullptr && holders.others->contains(pod)) << "pod " << *pod << " does not hold " << device;
    if (--holders.others->at(pod) == 0) holders.others->erase(pod);
  } else if (--holders.count == 0) {
    if (holders.others == nullptr) {
      devices_.erase(found);
      return;
    }
    const auto next = holders.others->begin();
    holders.pod = next->first;
    holders.count = next->second;
    holders.others->erase(next);
  }
  if (holders.others != nullptr && holders.others->empty()) holders.others.reset();
}

bool DeviceHolders::IsHeld(std::string_view device) const { return devices_.contains(Key(device)); }

bool DeviceHolders::IsHeldByOther(std::string_view device, std::string_view pod_uid) const {
  const auto found = devices_.find(Key(device));
  return found != devices_.end() && (found->second.others != nullptr || *found->second.pod != pod_uid);
}

std::vector<std::string> DeviceHolders::PodsOf(std::string_view device) const {
  std::vector<std::string> pods;
  const auto found = devices_.find(Key(device));
  if (found == devices_.end()) return pods;
  pods.push_back(*found->second.pod);
  if (found->second.others != nullptr) {
    for (const auto& [pod, count] : *found->second.others) pods.push_back(*pod);
  }
  std::sort(pods.begin(), pods.end());
  return pods;
}

}  // namespace kubelet_cm::deviceplugin
