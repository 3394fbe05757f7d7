#include "testing/scenarios/scenario_runner.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "testing/scenarios/dies_at.h"

namespace kubelet_cm::scenarios {
namespace {

const std::string& FirstVersion(const proto::Scenario& scenario) {
  static const auto* const latest = new std::string("latest");
  return scenario.starts_as().empty() ? *latest : scenario.starts_as();
}

}  // namespace

ScenarioRunner::ScenarioRunner(BenchNode& node, const ScenarioFile& file, const std::string& version)
    : node_(node),
      file_(file),
      version_(version.empty() ? FirstVersion(file.scenario) : version),
      judge_(node, file.scenario),
      player_(node, judge_, version_) {
  story_.name = file.scenario.name();
  story_.file = file.path;
  story_.version = version_;
  story_.teaches = file.scenario.teaches();
}

const Story& ScenarioRunner::Run() {
  PlaySteps();
  if (story_.passed() && node_.running()) Heal();
  // Another version may do better.
  if (!story_.passed() || version_ != FirstVersion(file_.scenario)) return story_;
  for (const std::string& invariant : judge_.UnbrokenAfterAll()) {
    PlayExtra("the end", [&]() -> Failures {
      return {absl::StrCat("the scenario says that ", invariant, " is broken, and it is not")};
    });
  }
  return story_;
}

bool ScenarioRunner::PlayStart() {
  const auto start = [&]() -> Failures {
    Failures failures = player_.StartKubelet();
    if (!player_.refused_start().ok()) {
      failures.push_back(absl::StrCat("it refused to start: ", player_.refused_start().message()));
    }
    return failures;
  };
  return PlayExtra(absl::StrCat("a kubelet ", version_, " starts on an empty node"), start);
}

bool ScenarioRunner::PlayRange(int first, int last) {
  for (int i = first; i < last; ++i) {
    if (!Play(file_.scenario.steps(i), i + 1, file_.step_lines[static_cast<size_t>(i)])) return false;
  }
  return true;
}

void ScenarioRunner::PlaySteps() {
  if (PlayStart()) PlayRange(0, file_.scenario.steps_size());
}

bool ScenarioRunner::PlayStepsWithRestart(int after) {
  if (!PlayStart() || !PlayRange(0, after)) return true;
  if (!node_.running() || !player_.nothing_under_way()) return false;
  proto::Step restart;
  restart.mutable_restart();
  const bool goes_on =
      PlayExtra("the kubelet restarts here, as it may at any moment", [&] { return player_.Do(restart); });
  if (goes_on) PlayRange(after, file_.scenario.steps_size());
  return true;
}

void ScenarioRunner::PlayStepsUnderFaults() {
  const auto of_invariants = [](Failures failures) {
    std::erase_if(failures, [](const std::string& failure) { return !absl::StrContains(failure, " is broken: "); });
    return failures;
  };
  player_.DiskMayFail();
  const auto start = [&] { return of_invariants(player_.StartKubelet()); };
  if (!PlayExtra(absl::StrCat("a kubelet ", version_, " starts on an empty node"), start)) return;
  for (const proto::Step& step : file_.scenario.steps()) {
    const bool starts_anyway = step.kind_case() == proto::Step::kRestart;
    if (!node_.running() && !starts_anyway && runs_next_) {
      const auto again = [&] {
        judge_.claims().Interfered();
        player_.MendForRestart(false);
        return player_.StartKubelet();
      };
      if (!PlayExtra("the disk works again, and a kubelet starts", again)) return;
    }
    const bool ends = step.kind_case() == proto::Step::kKill || step.kind_case() == proto::Step::kReboot ||
                      step.kind_case() == proto::Step::kPowerCut;
    if (ends) runs_next_ = false;
    if (starts_anyway) runs_next_ = step.restart().refused_with().empty();
    if (step.kind_case() == proto::Step::kExpect) continue;
    if (!PlayExtra(Describe(step), [&] { return of_invariants(Do(step)); })) return;
    if (step.has_dies_at()) runs_next_ = false;
  }
}

void ScenarioRunner::GoOnAfterCrash(bool booted) {
  player_.Died();
  player_.TakeKubeletEvents();  // the step in which it crashed has told it
  judge_.claims().Interfered();
  if (booted) judge_.Booted();
  const auto start = [&]() -> Failures {
    player_.MendForRestart(booted);
    Failures failures = player_.StartKubelet();
    if (!player_.refused_start().ok()) {
      failures.push_back(absl::StrCat("it did not start: ", player_.refused_start().message()));
    }
    return failures;
  };
  if (!PlayExtra(booted ? "the machine is up again" : "a kubelet starts after the crash", start)) return;
  for (int i = 0; i < file_.scenario.after_crash_size(); ++i) {
    if (!Play(file_.scenario.after_crash(i), i + 1, file_.after_crash_lines[static_cast<size_t>(i)])) return;
  }
}

void ScenarioRunner::Heal() {
  const auto mend = [&]() -> Failures {
    player_.MendAll();
    return {};
  };
  const auto remove = [&]() -> Failures {
    player_.RemoveEverybody();
    Failures failures;
    node_.Await([&] {
      failures.clear();
      judge_.CheckNothingIsLeft(&failures);
      return failures.empty();
    });
    return failures;
  };
  const auto take = [&]() -> Failures {
    // What a topology has to say is not the subject.
    return file_.scenario.node().numa_nodes_size() > 1 ? Failures() : player_.TakeEverything();
  };
  if (!PlayExtra("everything works again", mend)) return;
  if (!PlayExtra("every pod goes, and nothing is left", remove)) return;
  PlayExtra("everything can be had again", take);
}

bool ScenarioRunner::Play(const proto::Step& step, int number, int line) {
  StoryStep told{.number = number, .line = line, .text = Describe(step)};
  if (!step.say().empty()) told.text = absl::StrCat(step.say(), " (", told.text, ")");
  return Tell(std::move(told), [&] { return Do(step); });
}

ScenarioRunner::Failures ScenarioRunner::Do(const proto::Step& step) {
  if (!step.has_dies_at()) return player_.Do(step);
  const absl::Status armed = node_.KillAt(step.dies_at());
  if (!armed.ok()) return {std::string(armed.message())};
  Failures failures = player_.Do(step);
  if (failures.empty()) {  // a place that it comes to later in the step is one, too
    node_.Settle().IgnoreError();
    node_.Await([this] { return node_.dead(); });
  }
  const bool dead = node_.dead();
  if (node_.TakeDeath()) {
    judge_.claims().Interfered();
    player_.Died();
    return {};
  }
  if (dead) return {};  // somewhere else: a sweep's crash
  failures.push_back(absl::StrCat("the kubelet does not die ", Describe(step.dies_at()), ": it does not come there"));
  // As those who go on after a failure expect it.
  proto::Step kill;
  kill.mutable_kill();
  for (std::string& failure : player_.Do(kill)) failures.push_back(std::move(failure));
  return failures;
}

bool ScenarioRunner::PlayExtra(const std::string& text, const std::function<Failures()>& what) {
  return Tell({.text = text}, what);
}

bool ScenarioRunner::Tell(StoryStep step, const std::function<Failures()>& what) {
  const uint64_t writes = node_.Writes();
  std::optional<Sight> seen;
  step.failures = what();
  const auto died = [&] { return node_.dead(); };
  if (!died() && step.failures.empty()) {
    const absl::Status settled = node_.Settle();
    if (!settled.ok()) step.failures.push_back(absl::StrCat("the node does not settle: ", settled.message()));
    for (std::string& failure : player_.TakeAnswers()) step.failures.push_back(std::move(failure));
    if (!died() && node_.running()) seen = judge_.Check(player_.claim_uids(), &step.failures);
  }
  if (!step.failures.empty()) TellOfEnds(&step.failures);
  // Nobody was answered by a kubelet that is dead, and nobody sees what it thinks.
  const bool dead = died();
  step.kubelet = player_.TakeKubeletEvents();
  if (dead) {
    step.kubelet.push_back(KubeletEvent::kEnded);
    step.failures.clear();
    absl::StrAppend(&step.text, ", and the kubelet dies");
  }
  step.log = node_.TakeLog();
  step.at = node_.Elapsed();
  step.writes = node_.Writes() - writes;
  step.after = Draw(std::move(seen));
  const bool goes_on = !dead && step.failures.empty();
  story_.steps.push_back(std::move(step));
  return goes_on;
}

void ScenarioRunner::TellOfEnds(Failures* failures) {
  const absl::Status ended = node_.LookForEnds();
  const auto told = [&](const std::string& failure) { return absl::StrContains(failure, ended.message()); };
  if (!ended.ok() && std::ranges::none_of(*failures, told)) failures->push_back(std::string(ended.message()));
}

Picture ScenarioRunner::Draw(std::optional<Sight> seen) {
  Picture picture{.plugins = node_.ConnectedPlugins(), .drivers = node_.Drivers()};
  if (!node_.running() || node_.dead()) return picture;
  picture.kubelet = player_.version();
  if (!seen.has_value()) {
    absl::StatusOr<Sight> now = node_.Look();
    if (!now.ok()) return picture;
    seen = *std::move(now);
  }
  for (const auto& [holder, ids] : seen->holdings) {
    for (const std::string& id : ids) {
      picture.held[std::get<0>(holder)].insert(absl::StrCat(std::get<2>(holder), " ", id));
    }
  }
  for (const auto& [claim, state] : seen->claims) picture.claims[claim] = state.pods;
  return picture;
}

}  // namespace kubelet_cm::scenarios
