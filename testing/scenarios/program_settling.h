// Whether a daemon sees the fakes around it as they are, from what it says of itself. Pure functions: nothing, or what
// it does not see.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SETTLING_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SETTLING_H_

#include <set>
#include <string>

#include "common/personality/personality.h"
#include "kubelet_cm/api/control.pb.h"
#include "testing/scenarios/program_plugins.h"

namespace kubelet_cm::scenarios {

// What a daemon says.
struct DaemonWords {
  const ::kubeletcm::v1::ListPluginsResponse& plugins;
  const ::kubeletcm::v1::NodeResourcesResponse& resources;
  const std::string& device_file;
};

std::string UnseenPlugin(const ProgramPlugins::State& plugin, const DaemonWords& daemon, const Personality& kubelet);
// `up`: the drivers that it should be connected to; `unregistered`: those that have a new socket and were not told yet
// that it is registered. What the daemon says of them is of the socket before, and it is about to forget them.
std::string UnseenDrivers(const std::set<std::string>& up, const std::set<std::string>& unregistered,
                          const DaemonWords& daemon);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SETTLING_H_
