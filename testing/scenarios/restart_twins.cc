#include "testing/scenarios/restart_twins.h"

#include <utility>

#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {

TwinsResult PlayRestartTwins(const ScenarioFile& file, const std::string& version, uint64_t seed) {
  TwinsResult result;
  bool allowed = true;
  for (int after = 0; after <= file.scenario.steps_size(); ++after) {
    if (after < file.scenario.steps_size()) {
      const proto::Step& next = file.scenario.steps(after);
      allowed = (allowed || next.may_restart()) && next.no_restart().empty();
    }
    if (!allowed) continue;
    Story story;
    const absl::Status ran = WithMemoryNode(file.scenario, seed, [&](MemoryNode& node) {
      ScenarioRunner runner(node, file, version);
      if (runner.PlayStepsWithRestart(after)) ++result.restarts;
      if (runner.story().passed() && node.running()) runner.Heal();
      story = runner.story();
    });
    if (!ran.ok()) {
      story.file = file.path;
      story.steps.push_back({.text = "the run does not end", .failures = {std::string(ran.message())}});
    }
    if (!story.passed()) result.failures.push_back(std::move(story));
  }
  return result;
}

}  // namespace kubelet_cm::scenarios
