#include "deviceplugin/allocation/numa_filing.h"

#include <algorithm>

namespace kubelet_cm::deviceplugin {
namespace {

void Append(DevicesPerNuma* devices, int64_t node, const std::string& id) {
  std::optional<DeviceIds>& ids = (*devices)[node];
  if (!ids.has_value()) ids.emplace();
  ids->push_back(id);
}

void AppendUnderAll(DevicesPerNuma* devices, absl::Span<const int> nodes, int64_t no_node, const std::string& id) {
  if (nodes.empty()) Append(devices, no_node, id);
  for (const int node : nodes) Append(devices, node, id);
}

}  // namespace

DevicesPerNuma FileByNumaNode(absl::Span<const std::string> ids, NodesOfDevice nodes_of, int64_t no_node) {
  DevicesPerNuma devices;
  for (const std::string& id : ids) {
    AppendUnderAll(&devices, nodes_of(id).value_or(absl::Span<const int>()), no_node, id);
  }
  return devices;
}

Refiled RefileByNumaNode(const DevicesPerNuma& devices, NodesOfDevice nodes_of) {
  Refiled refiled;
  // What is not there keeps its nodes; the rest is filed once, wherever it stood.
  for (const auto& [node, ids] : devices) {
    if (!ids.has_value()) continue;
    for (const std::string& id : *ids) {
      if (nodes_of(id).has_value()) continue;
      Append(&refiled.devices, node, id);
      refiled.complete = false;
    }
  }
  for (const std::string& id : SortedIds(devices)) {
    if (const auto nodes = nodes_of(id); nodes.has_value()) AppendUnderAll(&refiled.devices, *nodes, kNoNumaNode, id);
  }
  return refiled;
}

std::vector<std::string> SortedIds(const std::optional<DevicesPerNuma>& devices) {
  const std::vector<std::string_view> sorted = SortedIdViews(devices);
  return {sorted.begin(), sorted.end()};
}

std::vector<std::string_view> SortedIdViews(const std::optional<DevicesPerNuma>& devices) {
  std::vector<std::string_view> sorted;
  if (!devices.has_value()) return sorted;
  size_t count = 0;
  for (const auto& [node, ids] : *devices) count += ids.has_value() ? ids->size() : 0;
  sorted.reserve(count);
  for (const auto& [node, ids] : *devices) {
    if (ids.has_value()) sorted.insert(sorted.end(), ids->begin(), ids->end());
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

}  // namespace kubelet_cm::deviceplugin
