// Story: what a run of a scenario was, step by step: for people who read a failure, and for the timeline.
//
// Plain values and pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_STORY_H_
#define KUBELET_CM_TESTING_SCENARIOS_STORY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {

// What the node was like after a step.
struct Picture {
  std::string kubelet = {};                                  // its version; empty: none runs
  std::map<std::string, std::string> plugins = {};           // connected ones, with their resource
  std::set<std::string> drivers = {};                        // that are up
  std::map<std::string, std::set<std::string>> held = {};    // "resource/id" by pod
  std::map<std::string, std::set<std::string>> claims = {};  // pods by claim
};

// What became of a kubelet.
enum class KubeletEvent {
  kEnded,  // it ran until then
  kStarted,
  kRefused,  // it refused to start
};

struct StoryStep {
  int number = 0;                            // from 1; 0: no step of the scenario
  int line = 0;                              // in the file; 0: none
  std::string text = {};                     // one sentence
  absl::Duration at = absl::ZeroDuration();  // of the node's clock, when it was over
  std::vector<std::string> log = {};         // lines of the kubelet's, where somebody listens
  uint64_t writes = 0;                       // files that were put in place or removed meanwhile
  std::vector<KubeletEvent> kubelet = {};    // what became of it meanwhile, in this order
  Picture after = {};
  std::vector<std::string> failures = {};
};

struct Story {
  std::string name = {};
  std::string file = {};
  std::string version = {};  // that the node started as
  std::string teaches = {};
  std::vector<StoryStep> steps = {};

  bool passed() const;
};

// A step in words, as if it were to come.
std::string Describe(const ::kubeletcm::scenario::v1::Step& step);

// The whole story, a line per step, with failures below the step.
std::string StoryText(const Story& story);
// The failures alone, each with "file:line: step n (what it is): ...".
std::string FailureText(const Story& story);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_STORY_H_
