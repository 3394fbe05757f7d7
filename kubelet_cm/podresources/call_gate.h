// CallGate: the rate limit of the podresources endpoint: so many calls a second, over all clients.
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
  };

  // `clock` outlives this.
  CallGate(const Clock& clock, const Options& options);

  // OK, or kResourceExhausted with upstream's text.
  absl::Status Admit();

 private:
  const Clock& clock_;
  Mutex mu_;
  std::optional<TokenBucket> bucket_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_CALL_GATE_H_
