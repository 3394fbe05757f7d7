#include "kubelet_cm/podresources/call_gate.h"

#include "absl/strings/str_cat.h"

namespace kubelet_cm::podresources {

CallGate::CallGate(const Clock& clock, const Options& options) : clock_(clock), options_(options) {
  if (options.per_second > 0 && options.burst > 0) {
    bucket_.emplace(options.per_second, options.burst, clock.MonotonicNow());
  }
}

absl::Status CallGate::Begin() {
  const MonotonicTime now = clock_.MonotonicNow();
  MutexLock lock(&mu_);
  if (bucket_.has_value() && !bucket_->Take(now)) return absl::ResourceExhaustedError("rejected by rate limit");
  if (calls_ >= options_.at_once) {
    return absl::ResourceExhaustedError(absl::StrCat("rejected, because ", calls_, " calls are not finished yet"));
  }
  ++calls_;
  return absl::OkStatus();
}

void CallGate::End() {
  MutexLock lock(&mu_);
  --calls_;
}

}  // namespace kubelet_cm::podresources
