#include "kubelet_cm/podresources/call_gate.h"

namespace kubelet_cm::podresources {

CallGate::CallGate(const Clock& clock, const Options& options) : clock_(clock) {
  if (options.per_second <= 0 || options.burst <= 0) return;
  bucket_.emplace(options.per_second, options.burst, clock.MonotonicNow());
}

absl::Status CallGate::Admit() {
  MutexLock lock(&mu_);
  if (!bucket_.has_value() || bucket_->Take(clock_.MonotonicNow())) return absl::OkStatus();
  return absl::ResourceExhaustedError("rejected by rate limit");
}

}  // namespace kubelet_cm::podresources
