#include "kubelet_cm/life/stop_request.h"

#include <utility>

namespace kubelet_cm::life {

StopRequest::StopRequest(Threads& threads, absl::Duration limit, std::function<void()> give_up)
    : limit_(limit),
      give_up_(std::move(give_up)),
      started_(threads, "the end of the start"),
      asked_(threads, "a request to stop") {}

void StopRequest::Ask() {
  asked_.Notify();
  if (!started_.WaitFor(limit_)) give_up_();
}

}  // namespace kubelet_cm::life
