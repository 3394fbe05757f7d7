// StepPlayer: does what a step says on a node, and tells the judge of it.
//
// What it returns is what was not as the step has it; nothing once the node is dead, for nobody was answered then. For
// one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_STEP_PLAYER_H_
#define KUBELET_CM_TESTING_SCENARIOS_STEP_PLAYER_H_

#include <deque>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/calls_under_way.h"
#include "testing/scenarios/judge.h"
#include "testing/scenarios/pods_of_scenario.h"
#include "testing/scenarios/reply_checks.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

class StepPlayer {
 public:
  using Failures = Judge::Failures;

  // Both outlive the player. `version`: that the node starts as.
  StepPlayer(BenchNode& node, Judge& judge, const std::string& version);
  // Kills the kubelet.
  ~StepPlayer();
  StepPlayer(const StepPlayer&) = delete;
  StepPlayer& operator=(const StepPlayer&) = delete;

  Failures Do(const proto::Step& step);

  // A kubelet starts where none runs, and is told which pods have gone meanwhile. That it refuses to is in
  // refused_start().
  Failures StartKubelet();
  // Answers that nobody waited for, as far as they have come.
  Failures TakeAnswers();
  // The kubelet died by itself: what was under way is lost.
  void Died();
  // What became of the kubelet since this was asked last.
  std::vector<KubeletEvent> TakeKubeletEvents() { return std::exchange(kubelet_events_, {}); }
  // Somebody lets the disk fail: until it is mended a restart may change files.
  void DiskMayFail() { disk_fails_ = disk_failed_ = true; }
  // The disk works; with the machine, plugins and drivers come up, too.
  void MendForRestart(bool booted);
  // All plugins and drivers are up and do what they should, and so does the disk.
  void MendAll();
  void RemoveEverybody();
  // A pod that takes every device there is is admitted.
  Failures TakeEverything();

  const std::string& version() const { return version_; }  // of the kubelet that runs or ran last
  const absl::Status& refused_start() const { return refused_start_; }
  // Whether no call is left unanswered.
  bool nothing_under_way() const { return under_way_.none(); }
  const std::map<std::string, std::string>& claim_uids() const { return pods_.claim_uids(); }

 private:
  Failures DoPlugins(const proto::Step& step);
  Failures DoDrivers(const proto::Step& step);
  Failures DoPods(const proto::Step& step);
  Failures DoMachine(const proto::Step& step);
  Failures DoFiles(const proto::Step& step);

  Failures StartPlugin(const proto::StartPlugin& start);
  Failures Restart(const proto::Restart& restart);
  Failures Admit(const proto::Admit& admit);
  Failures StartContainer(const proto::StartContainer& start);
  Failures RemovePod(const proto::RemovePod& remove);
  Failures Place(const proto::PlaceFile& place);
  Failures Place(const proto::PlaceDevices& place);

  struct Request {
    std::string what;  // "admit", ...
    std::string pod;
    std::function<Reply()> call;
    WantedReply wanted = {};
  };
  Failures Ask(const Request& request);
  Failures Apply(const CallsUnderWay::Answer& answer);
  void KillKubelet();
  // Who was removed while no kubelet ran, as an API server tells one that has started.
  Failures TellWhoIsGone();

  BenchNode& node_;
  Judge& judge_;
  std::string version_;
  absl::Status refused_start_;
  std::vector<KubeletEvent> kubelet_events_;
  PodsOfScenario pods_;
  CallsUnderWay under_way_;
  std::deque<proto::RemovePod> gone_meanwhile_;  // of which no kubelet knows
  std::set<std::string> plugins_;                // all there ever were
  bool disk_fails_ = false;
  bool disk_failed_ = false;  // since the last start
  bool plugins_fail_ = false;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_STEP_PLAYER_H_
