#include "common/threads/parker.h"

#include <algorithm>

namespace kubelet_cm {

void Parker::Park() {
  std::unique_lock<std::mutex> lock(mu_);
  unparked_.wait(lock, [this] { return token_; });
  token_ = false;
}

bool Parker::ParkFor(absl::Duration limit) {
  // Far from where the end of the wait would overflow.
  const absl::Duration bounded = std::clamp(limit, absl::ZeroDuration(), absl::Hours(24));
  std::unique_lock<std::mutex> lock(mu_);
  const bool got_token = unparked_.wait_for(lock, absl::ToChronoNanoseconds(bounded), [this] { return token_; });
  token_ = false;
  return got_token;
}

void Parker::Unpark() {
  // The lock covers the notification: once the parked thread returns, nothing here touches the Parker any more.
  std::lock_guard<std::mutex> lock(mu_);
  token_ = true;
  unparked_.notify_one();
}

}  // namespace kubelet_cm
