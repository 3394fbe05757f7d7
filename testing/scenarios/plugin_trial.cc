#include "testing/scenarios/plugin_trial.h"

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "google/protobuf/text_format.h"
#include "re2/re2.h"

namespace kubelet_cm::scenarios {

absl::Status CheckTrial(const PluginTrial& trial) {
  if (!RE2::FullMatch(trial.resource, "[a-z0-9]([-a-z0-9.]*[a-z0-9])?/[-._A-Za-z0-9]+")) {
    return absl::InvalidArgumentError(
        absl::StrCat("resource \"", trial.resource, "\": is no name as \"example.org/widget\""));
  }
  if (trial.devices < 1) return absl::InvalidArgumentError("a plugin that is tried out lists at least one device");
  return absl::OkStatus();
}

absl::StatusOr<ScenarioFile> FillIn(const PluginTrial& trial, const std::string& path, const std::string& text) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string program;
  if (!printer.PrintToString(trial.program, &program)) return absl::InternalError("a program that cannot be written");
  return LoadScenario(path, absl::StrReplaceAll(text, {{"${resource}", absl::CEscape(trial.resource)},
                                                       {"${devices}", absl::StrCat(trial.devices)},
                                                       {"${program}", program}}));
}

}  // namespace kubelet_cm::scenarios
