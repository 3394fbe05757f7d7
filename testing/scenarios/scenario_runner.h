// ScenarioRunner: plays a scenario on a node, step by step, looks at the invariants after each, and tells the story. It
// stops at the first step that is not as the scenario has it.
//
//   ScenarioRunner runner(node, file, "1.19");
//   const Story& story = runner.Run();
//   if (!story.passed()) std::cerr << FailureText(story);
//
// After the last step the node has to heal: faults are over, plugins and drivers are up, every pod goes, and then
// nothing may be left and everything can be had (C1, D7). One thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_SCENARIO_RUNNER_H_
#define KUBELET_CM_TESTING_SCENARIOS_SCENARIO_RUNNER_H_

#include <functional>
#include <optional>
#include <string>

#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/judge.h"
#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/step_player.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

class ScenarioRunner {
 public:
  // `version`: that the node starts as; empty: as the scenario says. What is referred to outlives the runner.
  ScenarioRunner(BenchNode& node, const ScenarioFile& file, const std::string& version = "");

  const Story& Run();

  // --- In parts, for whoever lets the kubelet crash in between.

  // The start and the steps; ends early when something fails, and when the kubelet is dead.
  void PlaySteps();
  // As PlaySteps, with a restart as the same version after this many steps, if one is possible there. Tells whether it
  // was.
  bool PlayStepsWithRestart(int after);
  // As PlaySteps, where operations of the disk fail: answers and what is seen may be others than the scenario has them,
  // and a kubelet that refuses to start does so once the disk works. Only the invariants have to hold.
  void PlayStepsUnderFaults();
  // The kubelet has crashed and was killed; `booted`: with its machine. It starts again, and what has to hold then is
  // looked at.
  void GoOnAfterCrash(bool booted);
  void Heal();

  const Story& story() const { return story_; }

 private:
  using Failures = Judge::Failures;

  bool Play(const proto::Step& step, int number, int line);
  bool PlayStart();
  // Ends at the first failure.
  bool PlayRange(int first, int last);
  // Does it, and sees to it that the kubelet dies where the step says so.
  Failures Do(const proto::Step& step);
  // What the runner does of its own accord, told as a step.
  bool PlayExtra(const std::string& text, const std::function<Failures()>& what);
  // Does it, looks at the node, and adds it to the story. False when nothing more is to be played.
  bool Tell(StoryStep step, const std::function<Failures()>& what);
  // Why it may be, where it lies with a program beside the kubelet.
  void TellOfEnds(Failures* failures);
  // Looks at the node where nobody has `seen` it after the step.
  Picture Draw(std::optional<Sight> seen);

  BenchNode& node_;
  const ScenarioFile& file_;
  const std::string version_;
  Story story_;
  Judge judge_;
  StepPlayer player_;
  bool runs_next_ = true;  // as the scenario has it, a kubelet runs at the next step
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_SCENARIO_RUNNER_H_
