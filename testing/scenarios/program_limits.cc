#include "testing/scenarios/program_limits.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

// Why the step needs a node in memory; nothing, if it does not.
std::string WhyNot(const Step& step) {
  if (step.has_dies_at()) return "a process is not stopped at an operation of its own";
  switch (step.kind_case()) {
    case Step::kAdvance:
    case Step::kJumpClock:
      return "the daemon's time is real and cannot be moved";
    case Step::kPowerCut:
      return "what a power cut leaves of a disk is known of a modelled one only";
    case Step::kDiskFault:
    case Step::kMendDisk:
      return "a real disk does not fail when it is told to";
    case Step::kExpect:
      return step.expect().metrics_size() > 0 ? "daemons here have no port for HTTP, so their metrics are not looked at"
                                              : "";
    default:
      return "";
  }
}

}  // namespace

absl::Status CheckForProgram(const ScenarioFile& file) {
  std::vector<std::string> reasons;
  bool has_drivers = false;
  for (int i = 0; i < file.scenario.steps_size(); ++i) {
    const Step& step = file.scenario.steps(i);
    has_drivers = has_drivers || step.kind_case() == Step::kStartDriver;
    std::string why = WhyNot(step);
    if (has_drivers && !step.restart().as_version().empty()) {
      why = "a driver on a real socket speaks one API, whichever kubelet comes";
    }
    if (why.empty()) continue;
    reasons.push_back(
        absl::StrCat(file.path, ":", file.step_lines[static_cast<size_t>(i)], ": not against the daemon: ", why));
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(reasons, "\n"));
}

}  // namespace kubelet_cm::scenarios
