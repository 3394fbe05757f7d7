#include "testing/scenarios/restart_twins.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "testing/scenarios/memory_run.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {

namespace {

std::string PlaceAfter(const ScenarioFile& file, int steps) {
  if (steps == 0) return "with a restart after the start";
  return absl::StrCat("with a restart after step ", steps, " (line ", file.step_lines[static_cast<size_t>(steps) - 1],
                      ")");
}

}  // namespace

TwinsResult PlayRestartTwins(const ScenarioFile& file, const std::string& version, WithNode with_node) {
  TwinsResult result;
  bool allowed = true;
  for (int after = 0; after <= file.scenario.steps_size(); ++after) {
    if (after < file.scenario.steps_size()) {
      const proto::Step& next = file.scenario.steps(after);
      allowed = (allowed || next.may_restart()) && next.no_restart().empty();
    }
    if (!allowed) continue;
    Story story;
    const absl::Status ran = with_node([&](BenchNode& node) {
      ScenarioRunner runner(node, file, version);
      if (runner.PlayStepsWithRestart(after)) ++result.restarts;
      if (runner.story().passed() && node.running()) runner.Heal();
      story = runner.story();
    });
    if (!ran.ok()) story = UnendedStory(file, ran);
    if (!story.passed()) result.failures.push_back({PlaceAfter(file, after), std::move(story)});
  }
  return result;
}

}  // namespace kubelet_cm::scenarios
