#include "dra/plugin/driver_connection.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/unixsocket/deadline.h"

namespace kubelet_cm::dra {
namespace {

// gRPC's wait for another state cannot be cancelled, so it is made in turns: how late Disconnect may be noticed.
constexpr absl::Duration kTurn = absl::Milliseconds(100);

}  // namespace

absl::StatusOr<bool> DriverConnection::WaitForConnectionChange(bool known) {
  while (!disconnected()) {
    const grpc_connectivity_state state = channel_->GetState(/*try_to_connect=*/true);
    const bool connected = state == GRPC_CHANNEL_READY;
    if (connected != known) return connected;
    channel_->WaitForStateChange(state, DeadlineIn(kTurn));
  }
  return absl::CancelledError("the client is disconnected");
}

void DriverConnection::Disconnect() {
  {
    MutexLock lock(&mu_);
    disconnected_ = true;
  }
  calls_.CancelAll();
}

absl::Status DriverConnection::TooLarge(size_t bytes) {
  return absl::ResourceExhaustedError(
      absl::StrCat("grpc: received message larger than max (", bytes, " vs. ", kMaxAnswerBytes, ")"));
}

MonotonicTime DriverConnection::Now() const {
  return meter_.metrics == nullptr ? MonotonicTime() : meter_.metrics->Now();
}

void DriverConnection::Record(RpcMethod method, const absl::Status& status, MonotonicTime begun) const {
  if (meter_.metrics == nullptr) return;
  meter_.metrics->Record(meter_.driver_name, absl::StrCat("/", method.service, "/", method.name), status.code(), begun);
}

bool DriverConnection::disconnected() const {
  MutexLock lock(&mu_);
  return disconnected_;
}

}  // namespace kubelet_cm::dra
