#include "deviceplugin/inventory/plugin_instances.h"

#include <utility>

#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {

void PluginInstances::Add(PluginInstance instance) {
  const InstanceId id = instance.id;
  const bool added = connected_.try_emplace(id, Connected{std::move(instance), nullptr}).second;
  CHECK(added) << "instance " << id << " is connected already";
}

bool PluginInstances::Remove(InstanceId id) { return connected_.erase(id) == 1; }

void PluginInstances::SetList(InstanceId id, std::shared_ptr<const DeviceList> list) {
  const auto found = connected_.find(id);
  CHECK(found != connected_.end()) << "instance " << id << " is not connected";
  CHECK(list != nullptr);
  found->second.list = std::move(list);
}

std::optional<PluginInstance> PluginInstances::Newest() const {
  if (connected_.empty()) return std::nullopt;
  return connected_.rbegin()->second.instance;
}

std::shared_ptr<const DeviceList> PluginInstances::NewestList() const {
  for (auto connected = connected_.rbegin(); connected != connected_.rend(); ++connected) {
    if (connected->second.list != nullptr) return connected->second.list;
  }
  return nullptr;
}

std::shared_ptr<const DeviceList> PluginInstances::ListOf(InstanceId id) const {
  const auto found = connected_.find(id);
  return found == connected_.end() ? nullptr : found->second.list;
}

size_t PluginInstances::id_bytes() const {
  size_t bytes = 0;
  for (const auto& [id, connected] : connected_) bytes += connected.list == nullptr ? 0 : connected.list->id_bytes();
  return bytes;
}

std::vector<PluginInstance> PluginInstances::All() const {
  std::vector<PluginInstance> all;
  all.reserve(connected_.size());
  for (const auto& [id, connected] : connected_) all.push_back(connected.instance);
  return all;
}

}  // namespace kubelet_cm::deviceplugin
