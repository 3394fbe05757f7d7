#include "testing/scenarios/program_sight.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "common/status/status_macros.h"
#include "deviceplugin/checkpoint/device_reader.h"

namespace kubelet_cm::scenarios {
namespace {

namespace v1 = ::kubeletcm::v1;

std::string WordOf(v1::PodState state) {
  switch (state) {
    case v1::POD_STATE_ADMITTING:
      return "admitting";
    case v1::POD_STATE_ADMITTED:
      return "admitted";
    case v1::POD_STATE_PREPARED:
      return "prepared";
    case v1::POD_STATE_TERMINATING:
      return "terminating";
    case v1::POD_STATE_RESTORED:
      return "restored";
    case v1::POD_STATE_REFUSED:
      return "refused";
    default:
      return "";
  }
}

// What VersionResponse.restored says of one of the files: "devices: restored", "claims: corrupt, set aside".
std::string OutcomeOf(const v1::VersionResponse& version, std::string_view file) {
  for (const std::string& said : version.restored()) {
    const size_t colon = said.find(": ");
    if (colon == std::string::npos || said.substr(0, colon) != file) continue;
    const std::string outcome = said.substr(colon + 2);
    return outcome.substr(0, outcome.find(','));
  }
  return "";
}

void LookAtResources(const v1::NodeResourcesResponse& resources, const v1::ListPluginsResponse& plugins, Sight& sight) {
  // Resources that somebody holds are listed even where the daemon does not know them any more.
  for (const auto& plugin : plugins.plugins()) {
    if (plugin.type() == "DevicePlugin") sight.resources[plugin.name()];
  }
  for (const auto& resource : resources.resources()) {
    const auto known = sight.resources.find(resource.name());
    if (known != sight.resources.end()) known->second = {resource.capacity(), resource.allocatable()};
    for (const auto& device : resource.devices()) {
      for (const auto& holder : device.holders()) {
        sight.holdings[{holder.pod().uid(), holder.container(), resource.name()}].insert(device.id());
      }
    }
  }
}

void LookAtPod(const v1::PodView& pod, Sight& sight) {
  const std::string& uid = pod.pod().uid();
  sight.pods[uid] = WordOf(pod.state());
  for (const auto& container : pod.containers()) {
    for (const auto& status : container.allocated_resources_status()) {
      for (const auto& device : status.resources()) {
        sight.health[{{uid, container.name(), status.name()}, device.resource_id()}] = device.health();
      }
    }
  }
}

// By id, whether they are healthy.
std::map<std::string, bool> HealthOf(const ::v1beta1::ListAndWatchResponse& listed) {
  std::map<std::string, bool> healthy;
  for (const auto& device : listed.devices()) healthy[device.id()] = device.health() == "Healthy";
  return healthy;
}

}  // namespace

bool ShowsDevices(const v1::NodeResourcesResponse& resources, const std::string& resource,
                  const ::v1beta1::ListAndWatchResponse& listed) {
  const std::map<std::string, bool> wanted = HealthOf(listed);
  const auto healthy = std::count_if(wanted.begin(), wanted.end(), [](const auto& device) { return device.second; });
  for (const auto& shown : resources.resources()) {
    if (shown.name() != resource) continue;
    if (shown.capacity() != static_cast<int64_t>(wanted.size()) || shown.allocatable() != healthy) return false;
    return std::ranges::all_of(shown.devices(), [&](const auto& device) {
      const auto found = wanted.find(device.id());
      return found == wanted.end() || found->second == (device.health() == "Healthy");
    });
  }
  return false;
}

bool HasDevices(const std::string& device_file, const std::string& resource,
                const ::v1beta1::ListAndWatchResponse& listed) {
  std::set<std::string> wanted;
  for (const auto& [id, healthy] : HealthOf(listed)) {
    if (healthy) wanted.insert(id);
  }
  const deviceplugin::DeviceFile file = deviceplugin::ReadDevices(device_file);
  if (!file.valid() || !file.content.registered.has_value()) return false;
  const auto found = file.content.registered->find(resource);
  if (found == file.content.registered->end()) return false;
  if (!found->second.has_value()) return wanted.empty();
  return std::set<std::string>(found->second->begin(), found->second->end()) == wanted;
}

size_t RegisteredCount(const std::string& device_file, const std::string& resource) {
  const deviceplugin::DeviceFile file = deviceplugin::ReadDevices(device_file);
  if (!file.valid() || !file.content.registered.has_value()) return 0;
  const auto found = file.content.registered->find(resource);
  return found == file.content.registered->end() || !found->second.has_value() ? 0 : found->second->size();
}

absl::StatusOr<Sight> LookAt(const harness::ControlClient& daemon) {
  Sight sight;
  ASSIGN_OR_RETURN(const v1::VersionResponse version, daemon.Version());
  sight.devices_restored = OutcomeOf(version, "devices");
  sight.claims_restored = OutcomeOf(version, "claims");
  ASSIGN_OR_RETURN(const v1::ListPluginsResponse plugins, daemon.Plugins());
  ASSIGN_OR_RETURN(const v1::NodeResourcesResponse resources, daemon.Resources());
  LookAtResources(resources, plugins, sight);
  ASSIGN_OR_RETURN(const v1::ListClaimsResponse claims, daemon.Claims());
  for (const auto& claim : claims.claims()) {
    Sight::Claim& seen = sight.claims[claim.name()];
    seen = {.uid = claim.uid(), .prepared = claim.state() == "Prepared"};
    for (const auto& pod : claim.pods()) seen.pods.insert(pod.uid());
  }
  ASSIGN_OR_RETURN(const v1::ListPodsResponse pods, daemon.Pods());
  for (const auto& pod : pods.pods()) LookAtPod(pod, sight);
  return sight;
}

}  // namespace kubelet_cm::scenarios
