#include "deviceplugin/checkpoint/device_content.h"

#include <iterator>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Appends the devices of `from` to those of `to`, node by node.
void AddDevices(DeviceEntry&& from, DeviceEntry* to) {
  if (!from.devices.has_value()) return;
  if (!to->devices.has_value()) to->devices.emplace();
  for (auto& [node, ids] : *from.devices) {
    std::optional<DeviceIds>& target = (*to->devices)[node];
    if (!target.has_value()) target.emplace();
    if (ids.has_value()) std::move(ids->begin(), ids->end(), std::back_inserter(*target));
  }
}

}  // namespace

std::vector<std::string_view> FlatDevices(const DeviceEntry& entry) {
  std::vector<std::string_view> flat;
  if (!entry.devices.has_value()) return flat;
  absl::flat_hash_set<std::string_view> seen;
  for (const auto& [node, ids] : *entry.devices) {
    if (!ids.has_value()) continue;
    for (const std::string& id : *ids) {
      if (seen.insert(id).second) flat.push_back(id);
    }
  }
  return flat;
}

void GroupEntries(DeviceContent* content) {
  if (!content->entries.has_value()) return;
  std::vector<DeviceEntry> entries = std::move(*content->entries);
  std::vector<DeviceEntry> grouped;
  grouped.reserve(entries.size());  // keys refer to its strings
  absl::flat_hash_map<DeviceEntryKey, DeviceEntry*> known;
  for (DeviceEntry& entry : entries) {
    if (const auto it = known.find(KeyOf(entry)); it != known.end()) {
      AddDevices(std::move(entry), it->second);
      continue;
    }
    grouped.push_back(std::move(entry));
    known.emplace(KeyOf(grouped.back()), &grouped.back());
  }
  content->entries = std::move(grouped);
}

}  // namespace kubelet_cm::deviceplugin
