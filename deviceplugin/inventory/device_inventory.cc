#include "deviceplugin/inventory/device_inventory.h"

#include <algorithm>
#include <utility>

namespace kubelet_cm::deviceplugin {

bool DeviceInventory::IsExpired(const Resource& resource, MonotonicTime now) const {
  return resource.stopped_at.has_value() && now - *resource.stopped_at > rules_.stopped_grace;
}

const DeviceInventory::Resource* DeviceInventory::Find(const std::string& resource) const {
  const auto found = resources_.find(resource);
  return found == resources_.end() ? nullptr : &found->second;
}

void DeviceInventory::RestoreStopped(const std::string& resource, MonotonicTime now) {
  const auto [found, is_new] = resources_.try_emplace(resource);
  if (!is_new) return;
  found->second.picture = DevicePicture().Lost();
  found->second.stopped_at = now;
  Touch(found->second);
}

void DeviceInventory::Connect(const std::string& resource, PluginInstance instance) {
  Resource& connected = resources_[resource];
  connected.instances.Add(std::move(instance));
  connected.pre_start_required = connected.instances.Newest()->pre_start_required;
  connected.stopped_at.reset();
  Touch(connected);
}

// Whether it shows a list that no instance has sent which is still connected.
bool DeviceInventory::HasOrphan(const Resource& resource) {
  return resource.picture.has_value() && resource.picture->list() != resource.instances.NewestList();
}

// What changes when `picture` is what is known from now on.
PictureChange DeviceInventory::Show(Resource& resource, DevicePicture picture) {
  if (resource.picture == picture) return {};
  const bool is_first = !resource.picture.has_value();
  PictureChange change = PictureChange::Between(resource.picture.value_or(DevicePicture()), picture);
  change.healthy_ids_changed = change.healthy_ids_changed || is_first;
  resource.picture = std::move(picture);
  Touch(resource);
  return change;
}

DeviceInventory::ListChange DeviceInventory::SetDevices(const std::string& resource, InstanceId id,
                                                        std::shared_ptr<const DeviceList> devices) {
  const auto found = resources_.find(resource);
  if (found == resources_.end() || !found->second.instances.Contains(id)) return {};
  Resource& listed = found->second;
  listed.instances.SetList(id, std::move(devices));
  PictureChange change = Show(listed, DevicePicture(listed.instances.NewestList()));
  return {.is_primary = listed.instances.Newest()->id == id,
          .health_changed = std::move(change.health_changed),
          .registered_changed = change.healthy_ids_changed};
}

DeviceInventory::DisconnectChange DeviceInventory::Disconnect(const std::string& resource, InstanceId id,
                                                              MonotonicTime now) {
  const auto found = resources_.find(resource);
  if (found == resources_.end() || !found->second.instances.Contains(id)) return {};
  Resource& left = found->second;
  DisconnectChange result = {.was_connected = true};
  if (left.instances.Newest()->id == id) Touch(left);
  left.instances.Remove(id);
  result.stopped = left.instances.empty();
  if (result.stopped) {
    left.stopped_at = now;
  } else {
    left.pre_start_required = left.instances.Newest()->pre_start_required;
  }

  PictureChange change;
  if (std::shared_ptr<const DeviceList> list = left.instances.NewestList(); list != nullptr) {
    change = Show(left, DevicePicture(std::move(list)));
  } else if (result.stopped && left.picture.has_value()) {
    change = Show(left, left.picture->Lost());
  }
  result.health_changed = std::move(change.health_changed);
  result.registered_changed = change.healthy_ids_changed;
  return result;
}

std::vector<std::string> DeviceInventory::KnownResources() const {
  std::vector<std::string> names;
  names.reserve(resources_.size());
  for (const auto& [name, resource] : resources_) names.push_back(name);
  return names;
}

std::shared_ptr<const DeviceList> DeviceInventory::SharedDevices(const std::string& resource) const {
  const Resource* found = Find(resource);
  if (found == nullptr) return nullptr;
  return found->picture.has_value() ? found->picture->list() : DeviceList::Empty();
}

DeviceHealth DeviceInventory::HealthOf(const std::string& resource, std::string_view id) const {
  const Resource* found = Find(resource);
  return found == nullptr || !found->picture.has_value() ? DeviceHealth::kUnknown : found->picture->HealthOf(id);
}

int64_t DeviceInventory::HealthyCount(const std::string& resource) const {
  const Resource* found = Find(resource);
  return found == nullptr || !found->picture.has_value() ? 0 : found->picture->healthy_count();
}

DeviceHealth DeviceInventory::LastReportedHealth(const std::string& resource, std::string_view id) const {
  const DeviceList* devices = Devices(resource);
  const ListedDevice* device = devices == nullptr ? nullptr : devices->Find(id);
  return device == nullptr || device->healthy ? DeviceHealth::kHealthy : DeviceHealth::kUnhealthy;
}

std::optional<PluginInstance> DeviceInventory::Primary(const std::string& resource) const {
  const Resource* found = Find(resource);
  return found == nullptr ? std::nullopt : found->instances.Newest();
}

bool DeviceInventory::PreStartRequired(const std::string& resource) const {
  const Resource* found = Find(resource);
  return found != nullptr && found->pre_start_required;
}

std::vector<PluginInstance> DeviceInventory::Instances(const std::string& resource) const {
  const Resource* found = Find(resource);
  return found == nullptr ? std::vector<PluginInstance>() : found->instances.All();
}

uint64_t DeviceInventory::generation(const std::string& resource) const {
  const Resource* found = Find(resource);
  return found == nullptr ? 0 : found->generation;
}

DeviceInventory::Capacity DeviceInventory::GetCapacity(MonotonicTime now) {
  RemoveExpired(now);
  Capacity result;
  for (const auto& [name, resource] : resources_) {
    if (!resource.picture.has_value()) continue;
    const int64_t healthy = resource.picture->healthy_count();
    result.capacity[name] = rules_.counts_unhealthy ? resource.picture->count() : healthy;
    result.allocatable[name] = healthy;
    deleted_.erase(name);  // it has come back before anybody was told that it had gone
  }
  result.deleted.assign(deleted_.begin(), deleted_.end());
  deleted_.clear();
  return result;
}

std::optional<MonotonicTime> DeviceInventory::NextExpiry() const {
  std::optional<MonotonicTime> first;
  for (const auto& [name, resource] : resources_) {
    if (resource.stopped_at.has_value()) first = std::min(first.value_or(*resource.stopped_at), *resource.stopped_at);
  }
  if (!first.has_value()) return std::nullopt;
  return *first + rules_.stopped_grace + absl::Nanoseconds(1);
}

std::vector<std::string> DeviceInventory::RemoveExpired(MonotonicTime now) {
  std::vector<std::string> removed;
  for (auto resource = resources_.begin(); resource != resources_.end();) {
    if (!IsExpired(resource->second, now)) {
      ++resource;
      continue;
    }
    if (resource->second.picture.has_value()) deleted_.insert(resource->first);
    removed.push_back(resource->first);
    resource = resources_.erase(resource);
  }
  return removed;
}

size_t DeviceInventory::IdBytesWith(const std::string& resource, InstanceId id, const DeviceList& devices) const {
  size_t bytes = id_bytes() + devices.id_bytes();
  const Resource* found = Find(resource);
  if (found == nullptr) return bytes;
  // What is shown then is `devices`, or the list of another instance.
  if (HasOrphan(*found)) bytes -= found->picture->list()->id_bytes();
  const std::shared_ptr<const DeviceList> replaced = found->instances.ListOf(id);
  return replaced == nullptr ? bytes : bytes - replaced->id_bytes();
}

size_t DeviceInventory::id_bytes() const {
  size_t bytes = 0;
  for (const auto& [name, resource] : resources_) {
    bytes += resource.instances.id_bytes();
    if (HasOrphan(resource)) bytes += resource.picture->list()->id_bytes();
  }
  return bytes;
}

std::shared_ptr<const DeviceList> DeviceInventory::ListOf(const std::string& resource, InstanceId id) const {
  const Resource* found = Find(resource);
  return found == nullptr ? nullptr : found->instances.ListOf(id);
}

RegisteredDevices DeviceInventory::Registered() const {
  RegisteredDevices registered;
  for (const auto& [name, resource] : resources_) {
    if (resource.picture.has_value()) registered[name] = resource.picture->HealthyIds();
  }
  return registered;
}

}  // namespace kubelet_cm::deviceplugin
