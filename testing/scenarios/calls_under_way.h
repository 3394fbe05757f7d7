// CallsUnderWay: requests to a kubelet that nobody waits for, each on a thread of its own, until they are answered or
// cut off.
//
// For one thread, which starts them and takes their answers.
#ifndef KUBELET_CM_TESTING_SCENARIOS_CALLS_UNDER_WAY_H_
#define KUBELET_CM_TESTING_SCENARIOS_CALLS_UNDER_WAY_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

class CallsUnderWay {
 public:
  struct Answer {
    std::string what;  // "admit", ...
    std::string pod;
    Reply reply;
  };

  // Outlives the object.
  explicit CallsUnderWay(Threads& threads) : threads_(threads) {}

  void Start(const std::string& what, const std::string& pod, std::function<Reply()> call);
  // Those that have been answered since, in the order of their start.
  std::vector<Answer> TakeAnswers();
  // Waits for all: the kubelet has been killed. The pods that they were about.
  std::vector<std::string> WaitForTheCut();
  bool none() const { return calls_.empty(); }

 private:
  struct Slot {
    Mutex mu;
    std::optional<Reply> reply ABSL_GUARDED_BY(mu);
  };
  struct Call {
    std::string what;
    std::string pod;
    std::unique_ptr<Slot> slot;
    std::unique_ptr<Thread> thread;  // uses the slot
  };

  Threads& threads_;
  std::vector<Call> calls_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_CALLS_UNDER_WAY_H_
