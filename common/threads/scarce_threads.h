// ScarceThreads: those of another implementation, on a system that a test lets run out of threads.
//
//   ScarceThreads threads(real_threads, log);
//   threads.RunOut();
//   ... whoever starts a thread waits, and says so in the log, as with RealThreads ...
//   threads.Replenish();
//
// Thread-safe.
#ifndef KUBELET_CM_COMMON_THREADS_SCARCE_THREADS_H_
#define KUBELET_CM_COMMON_THREADS_SCARCE_THREADS_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class ScarceThreads : public Threads {
 public:
  // What is given outlives this. It begins with as many threads as are wanted.
  ScarceThreads(Threads& threads, Logger& log);

  // There are none from now on.
  void RunOut();
  // There are some again.
  void Replenish();

  std::unique_ptr<Thread> Start(absl::string_view name, absl::AnyInvocable<void()> body) override;
  std::unique_ptr<Condition> NewCondition(absl::string_view awaited) override { return threads_.NewCondition(awaited); }
  void Yield() override { threads_.Yield(); }
  const Clock& clock() const override { return threads_.clock(); }

 private:
  bool has_run_out() const;
  void AwaitThreads();

  Threads& threads_;
  Logger& log_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> replenished_;
  bool has_run_out_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_THREADS_SCARCE_THREADS_H_
