#include "testing/scenarios/program_settling.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "testing/scenarios/program_sight.h"

namespace kubelet_cm::scenarios {

std::string UnseenPlugin(const ProgramPlugins::State& plugin, const DaemonWords& daemon, const Personality& kubelet) {
  size_t instances = 0;
  bool connected = false;
  for (const auto& row : daemon.plugins.plugins()) {
    if (row.type() != "DevicePlugin" || row.name() != plugin.resource || row.state() != "connected") continue;
    ++instances;
    connected = connected || row.endpoint() == plugin.socket_path;
  }
  const bool may_wait = connected && !plugin.listing && plugin.held_calls;
  if (connected != plugin.listing && !may_wait) {
    return absl::StrCat("plugin ", plugin.socket_path, " is ", plugin.listing ? "" : "not ",
                        "being listened to, and the daemon says otherwise");
  }
  // Which of several counts is not for us to say.
  if (!plugin.listing || instances > 1) return "";
  if (!ShowsDevices(daemon.resources, plugin.resource, plugin.devices)) {
    return absl::StrCat("the daemon does not show the devices of ", plugin.resource,
                        " as its plugin has them: ", daemon.resources.ShortDebugString());
  }
  // Written without anybody waiting for it; a kubelet that is killed before knows nothing of the resource afterwards.
  // Kubelet 1.8 wrote no more than what pods hold.
  if (kubelet.device_writes == DeviceFormat::kV0Of18 ||
      HasDevices(daemon.device_file, plugin.resource, plugin.devices)) {
    return "";
  }
  return absl::StrCat("the state file does not have the devices of ", plugin.resource);
}

std::string UnseenDrivers(const std::set<std::string>& up, const std::set<std::string>& unregistered,
                          const DaemonWords& daemon) {
  std::set<std::string> seen;
  for (const auto& row : daemon.plugins.plugins()) {
    if (row.type() != "DRAPlugin") continue;
    // Kubelets before 1.34 do not watch connections, and know of no more than the registration.
    if (row.state() == "connected" || row.state() == "registered") seen.insert(row.name());
  }
  if (seen != up) {
    return absl::StrCat("drivers ", absl::StrJoin(up, ","), " are up, and the daemon sees ", absl::StrJoin(seen, ","));
  }
  if (unregistered.empty()) return "";
  return absl::StrCat("drivers ", absl::StrJoin(unregistered, ","), " are not registered at the sockets they have now");
}

}  // namespace kubelet_cm::scenarios
