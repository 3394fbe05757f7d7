#include "dra/claim/claim_status.h"

#include <optional>
#include <utility>

#include "absl/container/btree_map.h"
#include "absl/strings/str_cat.h"
#include "dra/claim/claim_use.h"

namespace kubelet_cm::dra {
namespace {

using ConditionOf = absl::FunctionRef<DeviceCondition(const DeviceName&)>;

const ClaimEntry* EntryOf(const Pod& pod, const ContainerClaim& used, const ClaimStore& claims,
                          const ClaimNameRules& rules) {
  const PodClaim* const claim = FindPodClaim(pod, used.name);
  if (claim == nullptr) return nullptr;
  const absl::StatusOr<std::optional<PodClaimName>> name = NameOfClaim(pod, *claim, rules);
  if (!name.ok() || !name->has_value()) return nullptr;
  return claims.Find(pod.namespace_name, (*name)->object_name);
}

std::string ResourceId(const DeviceName& name, const ClaimDevice& device) {
  if (!device.cdi_device_ids.empty()) return device.cdi_device_ids[0];
  return absl::StrCat(name.driver, "/", name.pool, "/", name.device);
}

std::vector<DeviceStatus> DevicesOf(const ClaimEntry& entry, const std::string& request, ConditionOf condition_of,
                                    bool messages) {
  absl::btree_map<std::string, DeviceStatus> by_id;
  for (const auto& [driver_name, driver] : entry.drivers) {
    for (const ClaimDevice& device : driver.state.devices) {
      if (!ServesRequest(device, request)) continue;
      const DeviceName name{driver_name, device.pool_name, device.device_name};
      std::string id = ResourceId(name, device);
      if (by_id.contains(id)) continue;
      DeviceCondition condition = condition_of(name);
      by_id[id] = {.resource_id = id,
                   .health = std::move(condition.health),
                   .message = messages ? std::move(condition.message) : ""};
    }
  }
  std::vector<DeviceStatus> devices;
  devices.reserve(by_id.size());
  for (auto& [id, device] : by_id) devices.push_back(std::move(device));
  return devices;
}

}  // namespace

std::vector<ClaimStatus> ClaimStatusesOf(const Pod& pod, const Container& container, const ClaimStore& claims,
                                         ConditionOf condition_of, const ClaimStatusOptions& options) {
  absl::btree_map<std::string, ClaimStatus> by_name;
  if (container.kind != ContainerKind::kApp) return {};
  for (const ContainerClaim& used : container.claims) {
    const ClaimEntry* const entry = EntryOf(pod, used, claims, options.rules);
    if (entry == nullptr) continue;
    std::vector<DeviceStatus> devices = DevicesOf(*entry, used.request, condition_of, options.messages);
    if (devices.empty()) continue;
    const std::string name = absl::StrCat("claim:", used.name, used.request.empty() ? "" : "/", used.request);
    by_name[name] = {.name = name, .resources = std::move(devices)};
  }
  std::vector<ClaimStatus> statuses;
  for (auto& [name, status] : by_name) statuses.push_back(std::move(status));
  return statuses;
}

}  // namespace kubelet_cm::dra
