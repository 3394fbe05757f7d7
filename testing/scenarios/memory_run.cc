#include "testing/scenarios/memory_run.h"

#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/threads/seeded_threads.h"
#include "testing/scenarios/scenario_runner.h"

namespace kubelet_cm::scenarios {

absl::Status WithMemoryNode(const proto::Scenario& scenario, uint64_t seed, absl::FunctionRef<void(MemoryNode&)> body) {
  // What runs into this does not end.
  constexpr int64_t kMaxSteps = 20'000'000;
  FakeClock clock;
  SeededThreads threads(clock, {.seed = seed, .max_steps = kMaxSteps});
  return threads.Run([&] {
    MemoryNode node(threads, clock, scenario.node());
    body(node);
  });
}

Story RunInMemory(const ScenarioFile& file, const std::string& version, uint64_t seed, int log) {
  Story story;
  const absl::Status ran = WithMemoryNode(file.scenario, seed, [&](MemoryNode& node) {
    node.Listen(log);
    ScenarioRunner runner(node, file, version);
    story = runner.Run();
  });
  return ran.ok() ? story : UnendedStory(file, ran);
}

Story UnendedStory(const ScenarioFile& file, const absl::Status& why) {
  Story story{.name = file.scenario.name(), .file = file.path};
  story.steps.push_back({.text = "the run does not end", .failures = {std::string(why.message())}});
  return story;
}

}  // namespace kubelet_cm::scenarios
