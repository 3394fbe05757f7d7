#include "deviceplugin/allocation/node_allocatable.h"

namespace kubelet_cm::deviceplugin {

std::optional<ResourceCounts> RaisedAllocatable(std::string_view pod_uid, const DeviceLedger& ledger,
                                                const ResourceCounts& allocatable) {
  if (!ledger.HasEntries(pod_uid)) return std::nullopt;
  std::optional<ResourceCounts> raised;
  for (const auto& [resource, taken] : ledger.TakenCounts()) {
    const auto known = allocatable.find(resource);
    if (known != allocatable.end() && known->second >= taken) continue;
    if (!raised.has_value()) raised = allocatable;
    (*raised)[resource] = taken;
  }
  return raised;
}

}  // namespace kubelet_cm::deviceplugin
