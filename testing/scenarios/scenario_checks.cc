#include "testing/scenarios/scenario_checks.h"

#include <map>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "re2/re2.h"
#include "testing/scenarios/dies_at.h"
#include "testing/scenarios/expect_checks.h"
#include "testing/scenarios/fault_text.h"
#include "testing/scenarios/foreign_checks.h"
#include "testing/scenarios/head_checks.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

// What is there after the steps so far, as far as the text says.
class StepChecker {
 public:
  void Check(const Step& step, const TextPlace& place);
  // A kubelet runs, whatever was before.
  void Restarted() { running_ = true; }

 private:
  void CheckKind(const Step& step, const TextPlace& place);
  void CheckPlugins(const Step& step, const TextPlace& place);
  void CheckDrivers(const Step& step, const TextPlace& place);
  void CheckPods(const Step& step, const TextPlace& place);
  void CheckMachine(const Step& step, const TextPlace& place);
  void CheckFiles(const Step& step, const TextPlace& place);

  void Start(const proto::StartPlugin& start, const TextPlace& place);
  void Fault(const proto::PluginFault& fault, const TextPlace& place) const;
  void Fault(const proto::DriverFault& fault, const TextPlace& place) const;
  void Unlink(const proto::UnlinkSocket& unlink, const TextPlace& place) const;
  void Admit(const proto::Admit& admit, const TextPlace& place);
  void Fault(const proto::DiskFault& fault, const TextPlace& place) const;
  void Place(const proto::PlaceDevices& devices, const TextPlace& place) const;
  void Check(const proto::StartOnEach& each, const TextPlace& place) const;

  void NeedsKnown(const TextPlace& place, const std::string& field, const std::string& name,
                  const std::set<std::string>& known) const;
  void NeedsContainer(const TextPlace& place, const std::string& pod, const std::string& container) const;
  // Before the step's own message: these need a kubelet that runs, or one that does not.
  void NeedsKubelet(const TextPlace& place, const std::string& field, bool running) const;

  KnownNames known_;
  std::map<std::string, std::set<std::string>> containers_;  // of the pods
  bool running_ = true;
};

void StepChecker::NeedsKnown(const TextPlace& place, const std::string& field, const std::string& name,
                             const std::set<std::string>& known) const {
  if (!place.Needs(field, name) || known.contains(name)) return;
  place.Complain(field, absl::StrCat("there is no ", field, " \"", name, "\" at this step"));
}

void StepChecker::NeedsContainer(const TextPlace& place, const std::string& pod, const std::string& container) const {
  NeedsKnown(place, "pod", pod, known_.pods);
  const auto found = containers_.find(pod);
  const std::string& name = container.empty() ? "main" : container;
  if (found == containers_.end() || found->second.contains(name)) return;
  place.Complain("container", absl::StrCat("pod \"", pod, "\" has no container \"", name, "\""));
}

void StepChecker::NeedsKubelet(const TextPlace& place, const std::string& field, bool running) const {
  if (running == running_) return;
  place.Complain(field, running ? "no kubelet runs at this step" : "a kubelet runs at this step: kill it first");
}

void StepChecker::Start(const proto::StartPlugin& start, const TextPlace& place) {
  const std::string& name = PluginNameOf(start);
  if (name.empty()) return place.Complain("resource", "StartPlugin needs a resource");
  const bool again = known_.plugins.contains(name);
  if (!again && start.resource().empty()) place.Complain("resource", "a plugin that is new needs a resource");
  if (start.count() < 0) place.Complain("count", "a count is not negative");
  if (start.count() > 0 && start.devices_size() > 0) place.Complain("count", "either devices or count");
  if (!start.api().empty() && start.api() != "v1beta1" && start.api() != "v1alpha2" && start.api() != "0.1") {
    place.Complain("api", "the protocols are v1beta1, v1alpha2 and 0.1");
  }
  for (int i = 0; i < start.devices_size(); ++i) {
    if (start.devices(i).id().empty()) place.Complain("devices", "a device needs an id", i);
  }
  known_.plugins.insert(name);
  if (!start.has_program()) return;
  known_.programs.insert(name);
  CheckProgram(start.program(), place.Nested("program"));
}

void StepChecker::Fault(const proto::PluginFault& fault, const TextPlace& place) const {
  NeedsKnown(place, "plugin", fault.plugin(), known_.plugins);
  NeedsFake(place, "plugin", fault.plugin(), known_.programs);
  CheckFault(fault, place);
}

void StepChecker::Fault(const proto::DriverFault& fault, const TextPlace& place) const {
  NeedsKnown(place, "driver", fault.driver(), known_.drivers);
  NeedsFake(place, "driver", fault.driver(), known_.programs);
  CheckFault(fault, place);
}

void StepChecker::Unlink(const proto::UnlinkSocket& unlink, const TextPlace& place) const {
  switch (unlink.whose_case()) {
    case proto::UnlinkSocket::kPlugin:
      NeedsFake(place, "plugin", unlink.plugin(), known_.programs);
      return NeedsKnown(place, "plugin", unlink.plugin(), known_.plugins);
    case proto::UnlinkSocket::kDriver:
      NeedsFake(place, "driver", unlink.driver(), known_.programs);
      return NeedsKnown(place, "driver", unlink.driver(), known_.drivers);
    default:
      if (!unlink.kubelet()) place.Complain("kubelet", "UnlinkSocket needs plugin, driver or kubelet: true");
  }
}

void StepChecker::CheckPlugins(const Step& step, const TextPlace& place) {
  switch (step.kind_case()) {
    case Step::kStartPlugin:
      return Start(step.start_plugin(), place.Nested("start_plugin"));
    case Step::kStopPlugin:
      return NeedsKnown(place.Nested("stop_plugin"), "plugin", step.stop_plugin().plugin(), known_.plugins);
    case Step::kRegisterPlugin:
      NeedsKubelet(place, "register_plugin", true);
      NeedsFake(place.Nested("register_plugin"), "plugin", step.register_plugin().plugin(), known_.programs);
      return NeedsKnown(place.Nested("register_plugin"), "plugin", step.register_plugin().plugin(), known_.plugins);
    case Step::kPluginFault:
      return Fault(step.plugin_fault(), place.Nested("plugin_fault"));
    case Step::kUnlinkSocket:
      return Unlink(step.unlink_socket(), place.Nested("unlink_socket"));
    default:
      break;
  }
  const proto::ChangeDevices& change = step.change_devices();
  const TextPlace nested = place.Nested("change_devices");
  NeedsKnown(nested, "plugin", change.plugin(), known_.plugins);
  NeedsFake(nested, "plugin", change.plugin(), known_.programs);
  if ((change.devices_size() > 0) + change.none() + (change.health_size() > 0) != 1) {
    nested.Complain("plugin", "ChangeDevices needs one of devices, none and health");
  }
}

void StepChecker::CheckDrivers(const Step& step, const TextPlace& place) {
  switch (step.kind_case()) {
    case Step::kStartDriver:
      if (place.Nested("start_driver").Needs("driver", step.start_driver().driver())) {
        known_.drivers.insert(step.start_driver().driver());
      }
      if (!step.start_driver().api().empty() && !DriverApiOfName(step.start_driver().api()).has_value()) {
        place.Nested("start_driver").Complain("api", "is no version of the protocol");
      }
      if (!step.start_driver().health_api().empty() &&
          !(step.start_driver().tells_health() && HealthApiOfName(step.start_driver().health_api()).has_value())) {
        place.Nested("start_driver").Complain("health_api", "goes with tells_health, and is v1 or v1alpha1");
      }
      if (step.start_driver().has_program()) {
        known_.programs.insert(step.start_driver().driver());
        CheckProgram(step.start_driver().program(), place.Nested("start_driver").Nested("program"));
      }
      return;
    case Step::kStopDriver:
      return NeedsKnown(place.Nested("stop_driver"), "driver", step.stop_driver().driver(), known_.drivers);
    case Step::kDriverFault:
      return Fault(step.driver_fault(), place.Nested("driver_fault"));
    case Step::kAddClaim: {
      const TextPlace nested = place.Nested("add_claim");
      if (nested.Needs("claim", step.add_claim().claim())) known_.claims.insert(step.add_claim().claim());
      if (step.add_claim().drivers_size() == 0) nested.Complain("drivers", "a claim needs drivers");
      return;
    }
    case Step::kDriverHealth: {
      const TextPlace nested = place.Nested("driver_health");
      NeedsFake(nested, "driver", step.driver_health().driver(), known_.programs);
      if (step.driver_health().devices_size() == 0) nested.Complain("devices", "DriverHealth needs devices");
      return NeedsKnown(nested, "driver", step.driver_health().driver(), known_.drivers);
    }
    case Step::kDriverSocket:
      NeedsFake(place.Nested("driver_socket"), "driver", step.driver_socket().driver(), known_.programs);
      return NeedsKnown(place.Nested("driver_socket"), "driver", step.driver_socket().driver(), known_.drivers);
    case Step::kPublishSlice:
      return NeedsKnown(place.Nested("publish_slice"), "driver", step.publish_slice().driver(), known_.drivers);
    default:
      return NeedsKnown(place.Nested("remove_claim"), "claim", step.remove_claim().claim(), known_.claims);
  }
}

void StepChecker::Admit(const proto::Admit& admit, const TextPlace& place) {
  if (!place.Needs("pod", admit.pod())) return;
  if (admit.limits_size() > 0 && admit.containers_size() > 0) {
    place.Complain("limits", "either containers or the limits of the only one");
  }
  for (int i = 0; i < admit.claims_size(); ++i) {
    if (known_.claims.contains(admit.claims(i))) continue;
    place.Complain("claims", absl::StrCat("there is no claim \"", admit.claims(i), "\" at this step"), i);
  }
  const std::set<std::string> claims(admit.claims().begin(), admit.claims().end());
  std::set<std::string> names;
  for (int i = 0; i < admit.containers_size(); ++i) {
    const TextPlace nested = place.Nested("containers", i);
    if (nested.Needs("name", admit.containers(i).name()) && !names.insert(admit.containers(i).name()).second) {
      nested.Complain("name", "is the name of another container of the pod");
    }
    for (int j = 0; j < admit.containers(i).claims_size(); ++j) {
      if (!claims.contains(admit.containers(i).claims(j))) nested.Complain("claims", "is no claim of the pod", j);
    }
  }
  const bool new_pod = known_.pods.insert(admit.pod()).second;
  const bool specified = admit.limits_size() > 0 || admit.claims_size() > 0 || admit.containers_size() > 0;
  if (names.empty()) names.insert("main");
  if (new_pod || specified) containers_[admit.pod()] = names;
}

void StepChecker::CheckPods(const Step& step, const TextPlace& place) {
  switch (step.kind_case()) {
    case Step::kAdmit:
      NeedsKubelet(place, "admit", true);
      return Admit(step.admit(), place.Nested("admit"));
    case Step::kPrepare:
      NeedsKubelet(place, "prepare", true);
      return NeedsKnown(place.Nested("prepare"), "pod", step.prepare().pod(), known_.pods);
    case Step::kStartContainer: {
      NeedsKubelet(place, "start_container", true);
      const proto::StartContainer& start = step.start_container();
      return NeedsContainer(place.Nested("start_container"), start.pod(), start.container());
    }
    case Step::kExitContainer: {
      NeedsKubelet(place, "exit_container", true);
      const proto::ExitContainer& exit = step.exit_container();
      return NeedsContainer(place.Nested("exit_container"), exit.pod(), exit.container());
    }
    default:
      return NeedsKnown(place.Nested("remove_pod"), "pod", step.remove_pod().pod(), known_.pods);
  }
}

void StepChecker::CheckMachine(const Step& step, const TextPlace& place) {
  switch (step.kind_case()) {
    case Step::kKill:
      NeedsKubelet(place, "kill", true);
      running_ = false;
      return;
    case Step::kRestart: {
      const proto::Restart& restart = step.restart();
      const TextPlace nested = place.Nested("restart");
      if (!restart.as_version().empty() && !ParsePersonality(restart.as_version()).ok()) {
        nested.Complain("as_version", "is no version of a kubelet that had a device manager, nor \"latest\"");
      }
      running_ = restart.refused_with().empty();
      return;
    }
    case Step::kAdvance:
      if (!DurationOf(step.advance().by()).has_value()) {
        place.Nested("advance").Complain("by", "is no duration as \"90s\" or \"5m\"");
      }
      return;
    case Step::kJumpClock:
      if (!DurationOf(step.jump_clock().by()).has_value()) {
        place.Nested("jump_clock").Complain("by", "is no duration as \"90s\" or \"5m\"");
      }
      return;
    case Step::kPowerCut:
    case Step::kReboot:
      running_ = false;
      return;
    default:
      return;
  }
}

void StepChecker::Fault(const proto::DiskFault& fault, const TextPlace& place) const {
  if (!fault.op().empty() && !FileOpOf(fault.op()).has_value()) place.Complain("op", "is no file operation");
  if (!ErrnoOfName(fault.error()).has_value()) place.Complain("error", "is no error that is known here");
  if (fault.nth() < 0) place.Complain("nth", "operations are counted from 1");
  if (fault.written() < 0) place.Complain("written", "is not negative");
  if (!fault.path().empty()) {
    const RE2 pattern(fault.path(), RE2::Quiet);
    if (!pattern.ok()) place.Complain("path", absl::StrCat("is no regular expression: ", pattern.error()));
  }
}

void StepChecker::Place(const proto::PlaceDevices& devices, const TextPlace& place) const {
  if (!ParseDeviceFormat(devices.format()).ok()) place.Complain("format", "the formats are v0-1.8, v0-1.9, v1 and v2");
  for (int i = 0; i < devices.entries_size(); ++i) {
    const TextPlace nested = place.Nested("entries", i);
    nested.Needs("pod", devices.entries(i).pod());
    nested.Needs("resource", devices.entries(i).resource());
  }
}

void StepChecker::Check(const proto::StartOnEach& each, const TextPlace& place) const {
  if (each.file() != "devices" && each.file() != "claims") place.Complain("file", "is neither devices nor claims");
  place.Needs("folder", each.folder());
  if (each.names_size() == 0) place.Complain("names", "StartOnEach needs names of files");
  const bool starts = each.refused_with().empty();
  if (!starts && each.set_aside()) place.Complain("set_aside", "a start that is refused leaves the file as it is");
  if (each.has_expect()) return CheckExpect(each.expect(), place.Nested("expect"), known_, starts);
  if (starts && !each.set_aside()) place.Complain("names", "StartOnEach needs set_aside, refused_with or expect");
}

void StepChecker::CheckFiles(const Step& step, const TextPlace& place) {
  constexpr char kBadFile[] = "is neither devices, claims nor an absolute path";
  switch (step.kind_case()) {
    case Step::kCorrupt: {
      NeedsKubelet(place, "corrupt", false);
      const TextPlace nested = place.Nested("corrupt");
      if (!PathOfFile(step.corrupt().file()).has_value()) nested.Complain("file", kBadFile);
      if (step.corrupt().how_case() == proto::Corrupt::HOW_NOT_SET) nested.Complain("file", "Corrupt needs a way");
      return;
    }
    case Step::kPlaceFile: {
      NeedsKubelet(place, "place_file", false);
      const TextPlace nested = place.Nested("place_file");
      if (!PathOfFile(step.place_file().file()).has_value()) nested.Complain("file", kBadFile);
      if (step.place_file().content_case() == proto::PlaceFile::CONTENT_NOT_SET) {
        nested.Complain("file", "PlaceFile needs text or golden");
      }
      return;
    }
    case Step::kPlaceDevices:
      NeedsKubelet(place, "place_devices", false);
      for (const auto& entry : step.place_devices().entries()) known_.pods.insert(entry.pod());
      return Place(step.place_devices(), place.Nested("place_devices"));
    case Step::kStartOnEach:
      NeedsKubelet(place, "start_on_each", false);
      return Check(step.start_on_each(), place.Nested("start_on_each"));
    case Step::kDiskFault:
      return Fault(step.disk_fault(), place.Nested("disk_fault"));
    default:
      return;  // mend_disk has nothing to get wrong
  }
}

void StepChecker::Check(const Step& step, const TextPlace& place) {
  CheckKind(step, place);
  if (!step.has_dies_at()) return;
  CheckDiesAt(step.dies_at(), place.Nested("dies_at"));
  if (!running_) place.Complain("dies_at", "no kubelet runs at this step");
  running_ = false;
}

void StepChecker::CheckKind(const Step& step, const TextPlace& place) {
  // Kinds are numbered in tens, by what they are about.
  switch (step.kind_case() / 10) {
    case Step::KIND_NOT_SET:
      return place.Complain("say", "a step says what happens: start_plugin, admit, kill, expect, ...");
    case Step::kStartPlugin / 10:
      return CheckPlugins(step, place);
    case Step::kStartDriver / 10:
      return CheckDrivers(step, place);
    case Step::kAdmit / 10:
      return CheckPods(step, place);
    case Step::kCorrupt / 10:
      return CheckFiles(step, place);
    case Step::kExpect / 10:
      if (step.has_list_often()) return CheckListOften(step.list_often(), place.Nested("list_often"), running_);
      return CheckExpect(step.expect(), place.Nested("expect"), known_, running_);
    default:
      return CheckMachine(step, place);
  }
}

}  // namespace

std::vector<Complaint> CheckScenario(const proto::Scenario& scenario, const TextPlace::Tree& tree) {
  std::vector<Complaint> complaints;
  const TextPlace place(scenario, tree, &complaints);
  CheckHead(scenario, place);
  if (scenario.steps_size() == 0) place.Complain("steps", "a scenario has steps");
  StepChecker checker;
  for (int i = 0; i < scenario.steps_size(); ++i) checker.Check(scenario.steps(i), place.Nested("steps", i));
  // Wherever the crash struck, everything that the steps mention may be there, and a kubelet has been started again.
  checker.Restarted();
  for (int i = 0; i < scenario.after_crash_size(); ++i) {
    checker.Check(scenario.after_crash(i), place.Nested("after_crash", i));
  }
  return complaints;
}

}  // namespace kubelet_cm::scenarios
