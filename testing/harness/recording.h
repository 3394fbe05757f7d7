// Recording: what an observer heard, each thing as a text, and a wait for it. An observer derives from it and adds.
// Thread-safe; waits through the Threads seam.
#ifndef KUBELET_CM_TESTING_HARNESS_RECORDING_H_
#define KUBELET_CM_TESTING_HARNESS_RECORDING_H_

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::harness {

class Recording {
 public:
  // `threads` outlives the object.
  explicit Recording(Threads& threads) : changed_(threads.NewCondition("an observer to hear")) {}

  void Add(std::string what) {
    MutexLock lock(&mu_);
    heard_.push_back(std::move(what));
    changed_->NotifyAll();
  }
  // Waits until it heard `count` things, and returns what it heard by then.
  std::vector<std::string> Wait(size_t count) {
    MutexLock lock(&mu_);
    while (heard_.size() < count) changed_->Wait(&mu_);
    return heard_;
  }
  std::vector<std::string> heard() { return Wait(0); }

 private:
  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::vector<std::string> heard_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_RECORDING_H_
