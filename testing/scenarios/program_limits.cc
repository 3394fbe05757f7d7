#include "testing/scenarios/program_limits.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/personality/personality.h"
#include "dra/api/dra_api.h"
#include "testing/scenarios/dies_at.h"
#include "testing/scenarios/driver_api.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

// When a fake has such a call, nothing has come of it. That it has answered does not say what came of the answer, nor
// is one of a registration asked for by itself.
bool DiesBeforeAFakeIsAsked(const proto::DiesAt& dies_at) {
  static constexpr std::string_view kCalls[] = {"Allocate", "GetPreferredAllocation", "PreStartContainer",
                                                "NodePrepareResources", "NodeUnprepareResources"};
  const std::optional<std::string> call = CallBeforeWhich(dies_at);
  return call.has_value() && std::ranges::find(kCalls, *call) != std::end(kCalls);
}

// Why the step needs a node in memory; nothing, if it does not.
std::string WhyNot(const Step& step) {
  if (step.has_dies_at() && !DiesBeforeAFakeIsAsked(step.dies_at())) {
    return "a process is not stopped at an operation of its own: only before a fake is asked about a pod";
  }
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

// The fakes that are drivers, and the protocol of each: a driver on a real socket speaks one, whichever kubelet comes.
// What a program speaks is its own affair.
class DriversOfScenario {
 public:
  explicit DriversOfScenario(const std::string& starts_as) { Becomes(starts_as); }

  // Why not; nothing, if each driver that the kubelet finds when it starts is one that it can call.
  std::string Take(const Step& step) {
    switch (step.kind_case()) {
      case Step::kStartDriver:
        if (!step.start_driver().has_program()) Start(step.start_driver());
        return "";
      case Step::kStopDriver:
        StopsOf(step.stop_driver().driver());
        return "";
      case Step::kReboot:
        for (auto& [name, driver] : drivers_) driver.is_up = false;
        return "";
      case Step::kRestart:
        return Restart(step.restart());
      default:
        return "";
    }
  }

 private:
  struct Driver {
    dra::DraApi api = dra::DraApi::kV1;
    bool stays_away = false;
    bool is_up = false;
  };

  // The loader has looked at versions and names.
  void Becomes(const std::string& version) {
    if (!version.empty()) kubelet_ = *ParsePersonality(version);
  }
  void Start(const proto::StartDriver& start) {
    Driver& driver = drivers_.try_emplace(start.driver(), Driver{.api = NewestApiOf(*kubelet_)}).first->second;
    if (!start.api().empty()) driver.api = *DriverApiOfName(start.api());
    driver.stays_away = start.stays_away();
    driver.is_up = true;
  }
  void StopsOf(const std::string& name) {
    const auto found = drivers_.find(name);
    if (found != drivers_.end()) found->second.is_up = false;
  }
  std::string Restart(const proto::Restart& restart) {
    Becomes(restart.as_version());
    std::string why;
    for (auto& [name, driver] : drivers_) {
      if (driver.stays_away) driver.is_up = false;
      const bool calls_it = driver.is_up && restart.refused_with().empty() && !kubelet_->dra_offer.none();
      if (!calls_it || Speaks(*kubelet_, driver.api)) continue;
      why = absl::StrCat("driver ", name, " speaks ", std::string(dra::ApiName(driver.api)),
                         " on its socket, and this kubelet does not");
    }
    return why;
  }

  const Personality* kubelet_ = &LatestPersonality();
  std::map<std::string, Driver> drivers_;
};

}  // namespace

absl::Status CheckForProgram(const ScenarioFile& file, const std::string& version) {
  std::vector<std::string> reasons;
  DriversOfScenario drivers(version.empty() ? file.scenario.starts_as() : version);
  for (int i = 0; i < file.scenario.steps_size(); ++i) {
    const Step& step = file.scenario.steps(i);
    std::string why = WhyNot(step);
    const std::string not_spoken = drivers.Take(step);
    if (why.empty()) why = not_spoken;
    if (why.empty()) continue;
    reasons.push_back(
        absl::StrCat(file.path, ":", file.step_lines[static_cast<size_t>(i)], ": not against the daemon: ", why));
  }
  if (reasons.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrJoin(reasons, "\n"));
}

}  // namespace kubelet_cm::scenarios
