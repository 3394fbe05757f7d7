// ProgramDeath: the kubelet's program dies where a step says so (dies_at): before a call to a fake plugin or driver.
// The fake has got it then and does not look at it: it is as if it was never sent.
//
// Thread-safe: one thread steers, and fakes ask from theirs.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DEATH_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DEATH_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm::scenarios {

class ProgramDeath {
 public:
  // `kill` kills the program and returns when it is gone, from several threads, too. `threads` outlives the object.
  ProgramDeath(Threads& threads, std::function<void()> kill);

  // It dies before the n-th of these calls, counted from now on.
  void Arm(const std::string& call, int nth);
  // It dies no more. Whether it did; then nobody is at killing it any more.
  bool Disarm();
  bool struck() const;

  // For fakes, when a call has come. An error: who made it is dead, and there is nothing to be done for it.
  absl::Status Come(std::string_view call);

 private:
  const std::function<void()> kill_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> killed_;
  std::string call_ ABSL_GUARDED_BY(mu_);  // empty: none
  int left_ ABSL_GUARDED_BY(mu_) = 0;
  bool struck_ ABSL_GUARDED_BY(mu_) = false;
  int killing_ ABSL_GUARDED_BY(mu_) = 0;  // threads
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_DEATH_H_
