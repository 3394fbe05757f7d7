#include "testing/scenarios/scenario_file.h"

#include <utility>

#include "common/status/status_macros.h"
#include "testing/scenarios/expand_steps.h"
#include "testing/scenarios/scenario_checks.h"
#include "testing/scenarios/text_message.h"

namespace kubelet_cm::scenarios {
namespace {

using google::protobuf::FieldDescriptor;
using Tree = TextPlace::Tree;

std::vector<int> LinesOf(const Tree& tree, const char* field_name, int count) {
  const FieldDescriptor* field = proto::Scenario::descriptor()->FindFieldByName(field_name);
  std::vector<int> lines;
  for (int i = 0; i < count; ++i) lines.push_back(tree.GetLocation(field, i).line + 1);
  return lines;
}

}  // namespace

absl::StatusOr<ScenarioFile> LoadScenario(const std::string& path, const std::string& text) {
  ScenarioFile file;
  file.path = path;
  RETURN_IF_ERROR(ReadText(path, text, &file.scenario, [&](const Tree& tree, std::vector<Complaint>* complaints) {
    *complaints = CheckScenario(file.scenario, tree);
    file.step_lines = LinesOf(tree, "steps", file.scenario.steps_size());
    file.after_crash_lines = LinesOf(tree, "after_crash", file.scenario.after_crash_size());
  }));
  ExpandSteps(file.scenario.mutable_steps(), &file.step_lines);
  ExpandSteps(file.scenario.mutable_after_crash(), &file.after_crash_lines);
  return file;
}

}  // namespace kubelet_cm::scenarios
