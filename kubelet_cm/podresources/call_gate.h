// CallGate: which calls the podresources endpoint takes: so many a second, over all clients, and so many at once. An
// answer can be a megabyte that a client does not fetch, so both keep the memory bounded.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_CALL_GATE_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_CALL_GATE_H_

#include <optional>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "common/clock/clock.h"
#include "common/threads/mutex.h"
#include "kubelet_cm/podresources/token_bucket.h"

namespace kubelet_cm::podresources {

// Thread-safe.
class CallGate {
 public:
  struct Options {
    double per_second = 100;  // 0: any number
    int burst = 10;
    int at_once = 32;
  };

  // `clock` outlives this.
  CallGate(const Clock& clock, const Options& options);

  // OK: the call goes on, until End. kResourceExhausted, with upstream's text where the rate is meant.
  absl::Status Begin();
  // The answer has been fetched, or nobody waits for it any more.
  void End();

 private:
  const Clock& clock_;
  const Options options_;
  Mutex mu_;
  std::optional<TokenBucket> bucket_ ABSL_GUARDED_BY(mu_);
  int calls_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_CALL_GATE_H_
