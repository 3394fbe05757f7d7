#include "testing/scenarios/step_player.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "testing/scenarios/expectations.h"
#include "testing/scenarios/file_steps.h"
#include "testing/scenarios/listed_checks.h"
#include "testing/scenarios/mending.h"
#include "testing/scenarios/scenario_words.h"

namespace kubelet_cm::scenarios {
namespace {

using proto::Step;

StepPlayer::Failures FailuresOf(const absl::Status& status) {
  if (status.ok()) return {};
  return {std::string(status.message())};
}

}  // namespace

StepPlayer::StepPlayer(BenchNode& node, Judge& judge, const std::string& version)
    : node_(node), judge_(judge), version_(version), under_way_(node.threads()) {}

StepPlayer::~StepPlayer() {
  node_.Kill();
  under_way_.WaitForTheCut();
}

StepPlayer::Failures StepPlayer::Do(const Step& step) {
  if (!node_.running() && step.kind_case() != Step::kRestart) judge_.claims().Interfered();
  // Kinds are numbered in tens, by what they are about.
  switch (step.kind_case() / 10) {
    case Step::kStartPlugin / 10:
      return DoPlugins(step);
    case Step::kStartDriver / 10:
      return DoDrivers(step);
    case Step::kAdmit / 10:
      return DoPods(step);
    case Step::kCorrupt / 10:
      return DoFiles(step);
    case Step::kExpect / 10: {
      if (step.has_list_often()) return ListOften(step.list_often(), node_);
      Failures failures = FailuresOf(node_.Settle());
      if (!failures.empty()) return failures;
      node_.Await([&] {
        failures = LookForExpected(step.expect(), node_, refused_start_);
        return failures.empty();
      });
      return failures;
    }
    default:
      return DoMachine(step);
  }
}

StepPlayer::Failures StepPlayer::StartPlugin(const proto::StartPlugin& start) {
  plugins_.insert(PluginNameOf(start));
  return WrongWith(node_.StartPlugin(start), start.refused_with());
}

StepPlayer::Failures StepPlayer::DoPlugins(const Step& step) {
  switch (step.kind_case()) {
    case Step::kStartPlugin:
      return StartPlugin(step.start_plugin());
    case Step::kStopPlugin:
      return FailuresOf(node_.StopPlugin(step.stop_plugin()));
    case Step::kRegisterPlugin: {
      const proto::RegisterPlugin& registers = step.register_plugin();
      return WrongWith(node_.RegisterPlugin(registers.plugin()), registers.refused_with());
    }
    case Step::kChangeDevices:
      return FailuresOf(node_.ChangeDevices(step.change_devices()));
    case Step::kUnlinkSocket:
      return FailuresOf(node_.UnlinkSocket(step.unlink_socket()));
    default:
      plugins_fail_ = true;
      return FailuresOf(node_.FailPlugin(step.plugin_fault()));
  }
}

StepPlayer::Failures StepPlayer::DoDrivers(const Step& step) {
  switch (step.kind_case()) {
    case Step::kStartDriver:
      judge_.Knows(step.start_driver().driver());
      return FailuresOf(node_.StartDriver(step.start_driver()));
    case Step::kStopDriver:
      return FailuresOf(node_.StopDriver(step.stop_driver().driver()));
    case Step::kDriverFault:
      return FailuresOf(node_.FailDriver(step.driver_fault()));
    case Step::kDriverHealth:
      return FailuresOf(node_.SetDriverHealth(step.driver_health()));
    case Step::kPublishSlice:
      return FailuresOf(node_.PublishSlice(step.publish_slice().driver()));
    case Step::kDriverSocket:
      return FailuresOf(node_.ListenAt(step.driver_socket()));
    case Step::kAddClaim:
      return FailuresOf(pods_.AddClaim(step.add_claim(), node_));
    default:
      return FailuresOf(node_.RemoveClaim(step.remove_claim().claim()));
  }
}

// --- Pods

StepPlayer::Failures StepPlayer::Ask(const Request& request) {
  if (request.wanted.outcome == proto::UNDER_WAY) {
    node_.AnnounceCall();
    under_way_.Start(request.what, request.pod, request.call);
    Failures failures = FailuresOf(node_.Settle());
    for (const CallsUnderWay::Answer& answer : under_way_.TakeAnswers()) {
      if (answer.pod == request.pod && answer.what == request.what && !node_.dead()) {
        failures.push_back(absl::StrCat("expected it to be under way, but ", WordsOf(answer.reply)));
      }
      for (std::string& failure : Apply(answer)) failures.push_back(std::move(failure));
    }
    return failures;
  }
  const Reply reply = request.call();
  if (node_.dead()) {
    judge_.oracle().Lost(request.pod);
    return {};
  }
  Failures failures = Apply({.what = request.what, .pod = request.pod, .reply = reply});
  for (std::string& failure : WrongWith(reply, request.wanted)) failures.push_back(std::move(failure));
  return failures;
}

StepPlayer::Failures StepPlayer::Apply(const CallsUnderWay::Answer& answer) {
  Failures failures;
  invariants::Oracle& oracle = judge_.oracle();
  if (answer.what == "admit") {
    const absl::StatusOr<Sight> seen = node_.Look();
    if (!seen.ok()) return FailuresOf(seen.status());
    judge_.Report(oracle.EndAdmit(answer.pod, answer.reply.ok, *seen), &failures);
    if (!answer.reply.ok && disk_fails_) oracle.MayComeBack(answer.pod);
  } else if (answer.what == "prepare") {
    oracle.EndPrepare(answer.pod, answer.reply.ok);
    if (answer.reply.ok) judge_.claims().Prepared(answer.pod, pods_.claim_uids());
  } else if (answer.what == "remove") {
    oracle.EndRemove(answer.pod, answer.reply.ok);
  }
  return failures;
}

StepPlayer::Failures StepPlayer::TakeAnswers() {
  Failures failures;
  if (!node_.running() || node_.dead()) return failures;
  for (const CallsUnderWay::Answer& answer : under_way_.TakeAnswers()) {
    for (std::string& failure : Apply(answer)) failures.push_back(std::move(failure));
  }
  return failures;
}

StepPlayer::Failures StepPlayer::Admit(const proto::Admit& admit) {
  const absl::StatusOr<Pod> pod = pods_.Make(admit, node_);
  if (!pod.ok()) return FailuresOf(pod.status());
  judge_.oracle().BeginAdmit(*pod);
  return Ask({.what = "admit",
              .pod = admit.pod(),
              .call = [this, pod = *pod] { return node_.Admit(pod); },
              .wanted = {admit.outcome(), admit.reason(), admit.message()}});
}

StepPlayer::Failures StepPlayer::StartContainer(const proto::StartContainer& start) {
  const std::string container = start.container().empty() ? "main" : start.container();
  auto reply = std::make_shared<Reply>();
  const auto call = [this, start, container, reply] { return *reply = node_.StartContainer(start.pod(), container); };
  Failures failures = Ask({.what = "start",
                           .pod = start.pod(),
                           .call = call,
                           .wanted = {.outcome = start.outcome(), .message = start.message()}});
  if (start.outcome() == proto::UNDER_WAY || !reply->ok || node_.dead()) return failures;
  judge_.oracle().ContainerRuns(start.pod(), container, true);
  for (const std::string& wanted : start.environment()) {
    const size_t equals = std::min(wanted.find('='), wanted.size());
    const auto found = reply->environment.find(wanted.substr(0, equals));
    const bool is_so = found != reply->environment.end() && absl::StrCat(found->first, "=", found->second) == wanted;
    if (!is_so) failures.push_back(absl::StrCat("expected the environment to have ", wanted));
  }
  for (const std::string& wanted : start.cdi_devices()) {
    if (!reply->cdi_devices.contains(wanted)) failures.push_back(absl::StrCat("expected CDI device ", wanted));
  }
  return failures;
}

StepPlayer::Failures StepPlayer::RemovePod(const proto::RemovePod& remove) {
  if (!node_.running()) {
    gone_meanwhile_.push_back(remove);
    return {};
  }
  judge_.oracle().BeginRemove(remove.pod());
  return Ask({.what = "remove",
              .pod = remove.pod(),
              .call = [this, remove] { return node_.RemovePod(remove.pod(), remove.force()); },
              .wanted = {.outcome = remove.outcome(), .message = remove.message()}});
}

StepPlayer::Failures StepPlayer::TellWhoIsGone() {
  Failures failures;
  while (!gone_meanwhile_.empty() && !node_.dead()) {
    for (std::string& failure : RemovePod(gone_meanwhile_.front())) failures.push_back(std::move(failure));
    if (!node_.dead()) gone_meanwhile_.pop_front();  // a kubelet that died will be told again
  }
  return failures;
}

StepPlayer::Failures StepPlayer::DoPods(const Step& step) {
  switch (step.kind_case()) {
    case Step::kAdmit:
      return Admit(step.admit());
    case Step::kPrepare: {
      const proto::Prepare& prepare = step.prepare();
      return Ask({.what = "prepare",
                  .pod = prepare.pod(),
                  .call = [this, pod = prepare.pod()] { return node_.Prepare(pod); },
                  .wanted = {.outcome = prepare.outcome(), .message = prepare.message()}});
    }
    case Step::kStartContainer:
      return StartContainer(step.start_container());
    case Step::kExitContainer: {
      const proto::ExitContainer& exit = step.exit_container();
      const std::string container = exit.container().empty() ? "main" : exit.container();
      judge_.oracle().ContainerRuns(exit.pod(), container, false);
      return Ask({.what = "exit", .pod = exit.pod(), .call = [this, exit, container] {
                    return node_.ExitContainer(exit.pod(), container);
                  }});
    }
    default:
      return RemovePod(step.remove_pod());
  }
}

// --- The kubelet and the machine

StepPlayer::Failures StepPlayer::StartKubelet() {
  judge_.devices().Restarted();
  refused_start_ = node_.Start(version_);
  if (!node_.dead()) kubelet_events_.push_back(node_.running() ? KubeletEvent::kStarted : KubeletEvent::kRefused);
  if (!refused_start_.ok() || node_.dead()) return {};
  const absl::StatusOr<Sight> seen = node_.Look();
  if (!seen.ok()) return FailuresOf(seen.status());
  judge_.oracle().Restarted(*seen);
  if (std::exchange(disk_failed_, disk_fails_)) judge_.oracle().KnowsNoMoreThan(*seen);
  Failures failures;
  judge_.Report(judge_.claims().Restarted(version_), &failures);
  for (std::string& failure : TellWhoIsGone()) failures.push_back(std::move(failure));
  return failures;
}

void StepPlayer::KillKubelet() {
  if (!disk_fails_ && under_way_.none()) {
    judge_.claims().WillBeKilled(version_);
  } else {
    judge_.claims().Interfered();
  }
  if (!node_.running()) return;
  node_.Kill();
  Died();
}

void StepPlayer::Died() {
  kubelet_events_.push_back(KubeletEvent::kEnded);
  for (const std::string& pod : under_way_.WaitForTheCut()) judge_.oracle().Lost(pod);
}

StepPlayer::Failures StepPlayer::Restart(const proto::Restart& restart) {
  if (node_.running()) KillKubelet();
  if (!restart.as_version().empty()) version_ = restart.as_version();
  Failures failures = StartKubelet();
  if (node_.dead()) return {};
  for (std::string& said : WrongWith(refused_start_, restart.refused_with())) failures.push_back(std::move(said));
  return failures;
}

StepPlayer::Failures StepPlayer::DoMachine(const Step& step) {
  switch (step.kind_case()) {
    case Step::kKill:
      KillKubelet();
      return {};
    case Step::kRestart:
      return Restart(step.restart());
    case Step::kPowerCut:
    case Step::kReboot:
      KillKubelet();
      judge_.Booted();
      if (step.kind_case() == Step::kPowerCut) return FailuresOf(node_.CutPower(step.power_cut().image()));
      return FailuresOf(node_.Reboot());
    case Step::kAdvance:
      return FailuresOf(node_.Advance(*DurationOf(step.advance().by())));
    case Step::kJumpClock:
      return FailuresOf(
          node_.JumpClock(*DurationOf(step.jump_clock().by()) * (step.jump_clock().backwards() ? -1 : 1)));
    default:
      return FailuresOf(node_.Settle());
  }
}

// --- Files

StepPlayer::Failures StepPlayer::Place(const proto::PlaceFile& place) {
  judge_.FileChanged(place.file());
  return FailuresOf(PlaceFile(place, node_));
}

StepPlayer::Failures StepPlayer::Place(const proto::PlaceDevices& place) {
  judge_.FileChanged("devices");
  for (const auto& entry : place.entries()) judge_.oracle().Found(entry.pod());
  return FailuresOf(PlaceDevices(place, node_));
}

StepPlayer::Failures StepPlayer::DoFiles(const Step& step) {
  switch (step.kind_case()) {
    case Step::kCorrupt:
      judge_.FileChanged(step.corrupt().file());
      return FailuresOf(CorruptFile(step.corrupt(), node_));
    case Step::kPlaceFile:
      return Place(step.place_file());
    case Step::kPlaceDevices:
      return Place(step.place_devices());
    case Step::kDiskFault:
      DiskMayFail();
      return FailuresOf(node_.FailDisk(step.disk_fault()));
    default:
      disk_fails_ = false;
      return FailuresOf(node_.MendDisk());
  }
}

// --- The end

void StepPlayer::MendForRestart(bool booted) {
  if (booted) return MendAll();
  disk_fails_ = false;
  node_.MendDisk().IgnoreError();
}

void StepPlayer::MendAll() {
  disk_fails_ = false;
  MendEverything(node_, plugins_, judge_.drivers());
}

void StepPlayer::RemoveEverybody() {
  // What hangs comes to its end, and what failed is tried again.
  for (int rounds = 3; rounds > 0 && node_.running(); --rounds) {
    std::set<std::string> uids;
    for (const auto& [uid, memory] : judge_.oracle().pods()) uids.insert(uid);
    const absl::StatusOr<Sight> seen = node_.Look();
    if (seen.ok()) {
      for (const auto& [uid, phase] : seen->pods) uids.insert(uid);
    }
    for (const std::string& uid : uids) {
      judge_.oracle().BeginRemove(uid);
      judge_.oracle().EndRemove(uid, node_.RemovePod(uid, false).ok);
    }
    node_.Advance(absl::Minutes(2)).IgnoreError();
  }
}

StepPlayer::Failures StepPlayer::TakeEverything() {
  if (plugins_fail_) return {};  // faults that are still to come are not the subject
  const absl::StatusOr<Sight> seen = node_.Look();
  if (!seen.ok()) return FailuresOf(seen.status());
  std::map<std::string, int64_t> free;
  for (const auto& [plugin, resource] : node_.ConnectedPlugins()) {
    const auto found = seen->resources.find(resource);
    if (found != seen->resources.end() && found->second.allocatable > 0) free[resource] = found->second.allocatable;
  }
  proto::Admit everything;
  everything.set_pod("the-one-who-gets-everything");
  for (const auto& [resource, count] : free) {
    proto::Quantity& limit = *everything.add_limits();
    limit.set_resource(resource);
    limit.set_count(count);
  }
  Failures failures = Admit(everything);
  for (std::string& failure : failures) failure = absl::StrCat("D7 is broken: ", failure);
  return failures;
}

}  // namespace kubelet_cm::scenarios
