#include "common/unixsocket/calls_in_flight.h"

#include <algorithm>

#include "common/unixsocket/deadline.h"

namespace kubelet_cm {

absl::StatusOr<CallsInFlight::Context> CallsInFlight::Begin(absl::Duration timeout) {
  const Context context = std::make_shared<grpc::ClientContext>();
  context->set_deadline(DeadlineIn(timeout));
  MutexLock lock(&mu_);
  if (cancelled_) return absl::CancelledError("the client is disconnected");
  std::erase_if(contexts_, [](const std::weak_ptr<grpc::ClientContext>& other) { return other.expired(); });
  contexts_.push_back(context);
  return context;
}

void CallsInFlight::CancelAll() {
  std::vector<std::weak_ptr<grpc::ClientContext>> contexts;
  {
    MutexLock lock(&mu_);
    cancelled_ = true;
    contexts.swap(contexts_);
  }
  for (const std::weak_ptr<grpc::ClientContext>& in_flight : contexts) {
    if (const Context context = in_flight.lock()) context->TryCancel();
  }
}

}  // namespace kubelet_cm
