// PluginTrial: a device plugin of somebody's own, which scenarios that were written for any plugin are filled in with.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PLUGIN_TRIAL_H_
#define KUBELET_CM_TESTING_SCENARIOS_PLUGIN_TRIAL_H_

#include <string>

#include "absl/status/statusor.h"
#include "testing/scenarios/scenario.pb.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

struct PluginTrial {
  std::string resource;
  int devices = 1;  // that it lists, all of them healthy
  ::kubeletcm::scenario::v1::Program program;
};

// What may be wrong with what the user says of it.
absl::Status CheckTrial(const PluginTrial& trial);

// The scenario whose text has ${resource}, ${devices} and ${program} in their places. `path` is for messages.
absl::StatusOr<ScenarioFile> FillIn(const PluginTrial& trial, const std::string& path, const std::string& text);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PLUGIN_TRIAL_H_
