#include "testing/scenarios/scenario_file.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "testing/scenarios/expand_steps.h"
#include "testing/scenarios/scenario_checks.h"

namespace kubelet_cm::scenarios {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::TextFormat;

class Errors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, google::protobuf::io::ColumnNumber column, const std::string& message) override {
    found.push_back({.line = line + 1, .column = column + 1, .message = message});
  }

  std::vector<Complaint> found;
};

std::vector<int> LinesOf(const TextFormat::ParseInfoTree& tree, const char* field_name, int count) {
  const FieldDescriptor* field = proto::Scenario::descriptor()->FindFieldByName(field_name);
  std::vector<int> lines;
  for (int i = 0; i < count; ++i) lines.push_back(tree.GetLocation(field, i).line + 1);
  return lines;
}

absl::Status Refusal(const std::string& path, const std::vector<Complaint>& complaints) {
  return absl::InvalidArgumentError(absl::StrJoin(complaints, "\n", [&](std::string* out, const Complaint& complaint) {
    absl::StrAppend(out, path, ":", complaint.line, ":", complaint.column, ": ", complaint.message);
  }));
}

}  // namespace

absl::StatusOr<ScenarioFile> LoadScenario(const std::string& path, const std::string& text) {
  ScenarioFile file;
  file.path = path;
  TextFormat::ParseInfoTree tree;
  Errors errors;
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.WriteLocationsTo(&tree);
  if (!parser.ParseFromString(text, &file.scenario)) return Refusal(path, errors.found);
  const std::vector<Complaint> complaints = CheckScenario(file.scenario, tree);
  if (!complaints.empty()) return Refusal(path, complaints);
  file.step_lines = LinesOf(tree, "steps", file.scenario.steps_size());
  file.after_crash_lines = LinesOf(tree, "after_crash", file.scenario.after_crash_size());
  ExpandSteps(file.scenario.mutable_steps(), &file.step_lines);
  ExpandSteps(file.scenario.mutable_after_crash(), &file.after_crash_lines);
  return file;
}

}  // namespace kubelet_cm::scenarios
