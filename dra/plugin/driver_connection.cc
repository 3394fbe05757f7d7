#include "dra/plugin/driver_connection.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/unixsocket/deadline.h"
#include "dra/plugin/dra_client.h"

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

absl::Status DriverConnection::AwaitConnecting() {
  if (!connect_limit_.has_value()) return absl::OkStatus();
  {
    MutexLock lock(&mu_);
    if (has_connected_) return absl::OkStatus();
  }
  const auto limit = DeadlineIn(*connect_limit_);
  grpc_connectivity_state state = channel_->GetState(/*try_to_connect=*/true);
  while (state == GRPC_CHANNEL_IDLE || state == GRPC_CHANNEL_CONNECTING) {
    if (!channel_->WaitForStateChange(state, limit)) {
      return NotSent(absl::DeadlineExceededError("timed out waiting for gRPC connection to be ready"));
    }
    state = channel_->GetState(/*try_to_connect=*/true);
  }
  MutexLock lock(&mu_);
  has_connected_ = true;
  return absl::OkStatus();
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
