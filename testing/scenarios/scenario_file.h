// LoadScenario: a scenario from its text, as a file has it, or everything that is wrong with it, each with file and
// line.
//
// Pure.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_FILE_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_FILE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

namespace proto = ::kubeletcm::scenario::v1;

struct ScenarioFile {
  std::string path;  // for messages
  // Of a step that stands for several (start_on_each) it has those.
  proto::Scenario scenario;
  // Where each step begins, from 1.
  std::vector<int> step_lines;
  std::vector<int> after_crash_lines;
};

// InvalidArgument with a line "path:line:column: what" for each thing that is wrong.
absl::StatusOr<ScenarioFile> LoadScenario(const std::string& path, const std::string& text);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_FILE_H_
