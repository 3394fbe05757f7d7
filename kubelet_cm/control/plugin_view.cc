#include "kubelet_cm/control/plugin_view.h"

#include <string>
#include <string_view>

#include "common/threads/mutex.h"
#include "deviceplugin/device_state.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ListPluginsResponse;

using deviceplugin::PluginInstance;
using pluginwatcher::PluginRow;
using pluginwatcher::PluginState;

constexpr char kConnected[] = "connected";
constexpr char kDisconnected[] = "disconnected";
constexpr char kRegistered[] = "registered";

// The watched socket that announced the plugin; null if it registered by itself.
const PluginRow* FindWatched(const std::vector<PluginRow>& watched, const std::string& name,
                             const std::string& endpoint) {
  for (const PluginRow& row : watched) {
    if (row.state == PluginState::kRegistered && row.plugin.name == name && row.plugin.endpoint == endpoint) {
      return &row;
    }
  }
  return nullptr;
}

void AddWatched(const PluginRow* row, ListPluginsResponse::Plugin* view) {
  if (row == nullptr) return;
  view->set_registration_socket(row->path);
  for (const std::string& version : row->plugin.versions) view->add_versions(version);
}

void ViewDevicePlugins(deviceplugin::DeviceManager& devices, const std::vector<PluginRow>& watched,
                       ListPluginsResponse* response) {
  deviceplugin::DeviceState& state = devices.state();
  MutexLock lock(&state.mu);
  for (const std::string& resource : state.inventory.KnownResources()) {
    const auto primary = state.inventory.Primary(resource);
    for (const PluginInstance& instance : state.inventory.Instances(resource)) {
      ListPluginsResponse::Plugin& view = *response->add_plugins();
      view.set_type("DevicePlugin");
      view.set_name(resource);
      view.set_endpoint(instance.socket_path);
      view.set_state(kConnected);
      view.set_primary(primary.has_value() && primary->id == instance.id);
      AddWatched(FindWatched(watched, resource, instance.socket_path), &view);
    }
    if (primary.has_value()) continue;
    ListPluginsResponse::Plugin& view = *response->add_plugins();
    view.set_type("DevicePlugin");
    view.set_name(resource);
    view.set_state(kDisconnected);
    view.set_message("its plugin is gone; the resource is kept for five minutes");
  }
}

void ViewDrivers(const dra::DriverRegistry& drivers, const std::vector<PluginRow>& watched,
                 ListPluginsResponse* response) {
  for (const dra::DriverRegistry::Listed& driver : drivers.List()) {
    ListPluginsResponse::Plugin& view = *response->add_plugins();
    view.set_type("DRAPlugin");
    view.set_name(driver.driver_name);
    view.set_endpoint(driver.endpoint);
    view.set_state(!driver.monitored ? kRegistered : driver.connected ? kConnected : kDisconnected);
    view.set_primary(driver.chosen);
    AddWatched(FindWatched(watched, driver.driver_name, driver.endpoint), &view);
  }
}

std::string_view StateName(PluginState state) {
  switch (state) {
    case PluginState::kWaiting:
      return "waiting";
    case PluginState::kRegistering:
      return "registering";
    case PluginState::kRegistered:
      return kRegistered;
    case PluginState::kFailed:
      return "failed";
    case PluginState::kUnregistering:
      return "unregistering";
  }
  return "";
}

void ViewUnregistered(const std::vector<PluginRow>& watched, ListPluginsResponse* response) {
  for (const PluginRow& row : watched) {
    if (row.state == PluginState::kRegistered) continue;
    ListPluginsResponse::Plugin& view = *response->add_plugins();
    view.set_type(row.plugin.type);
    view.set_name(row.plugin.name);
    view.set_endpoint(row.plugin.endpoint);
    for (const std::string& version : row.plugin.versions) view.add_versions(version);
    const std::string_view state = StateName(row.state);
    view.set_state(state.data(), state.size());
    view.set_registration_socket(row.path);
    view.set_message(row.error);
  }
}

}  // namespace

ListPluginsResponse ViewPlugins(deviceplugin::DeviceManager& devices, const dra::DriverRegistry* drivers,
                                const std::vector<PluginRow>& watched) {
  ListPluginsResponse response;
  ViewDevicePlugins(devices, watched, &response);
  if (drivers != nullptr) ViewDrivers(*drivers, watched, &response);
  ViewUnregistered(watched, &response);
  return response;
}

}  // namespace kubelet_cm
