#include "testing/scenarios/memory_limits.h"

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

constexpr std::string_view kNoSockets = "a node in memory has no sockets";
constexpr std::string_view kNoPrograms = "a node in memory has no folder that a program could find";

// Why the step needs the daemon; nothing, if it does not.
std::string WhyNot(const Step& step) {
  switch (step.kind_case()) {
    case Step::kDriverFault:
      return step.driver_fault().call() >= proto::DriverFault::GET_INFO
                 ? "a node in memory has no plugin watcher: its drivers are known without being asked"
                 : "";
    case Step::kStartPlugin:
      return step.start_plugin().has_program() ? std::string(kNoPrograms) : "";
    case Step::kStartDriver:
      if (step.start_driver().has_program()) return std::string(kNoPrograms);
      if (step.start_driver().listens_later() || step.start_driver().one_socket()) return std::string(kNoSockets);
      return step.start_driver().tells_health() ? "a node in memory has no registry that listens to drivers' health"
                                                : "";
    case Step::kDriverSocket:
    case Step::kListOften:
      return std::string(kNoSockets);
    case Step::kExpect:
      return step.expect().connections_size() > 0 ? std::string(kNoSockets) : "";
    case Step::kPublishSlice:
      return "a node in memory has no API server";
    default:
      return "";
  }
}

}  // namespace

absl::Status CheckForMemory(const ScenarioFile& file) {
  std::vector<std::string> reasons;
  for (int i = 0; i < file.scenario.steps_size(); ++i) {
    const std::string why = WhyNot(file.scenario.steps(i));
    if (why.empty()) continue;
    reasons.push_back(absl::StrCat(file.path, ":", file.step_lines[static_cast<size_t>(i)], ": not in memory: ", why));
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(reasons, "\n"));
}

}  // namespace kubelet_cm::scenarios
