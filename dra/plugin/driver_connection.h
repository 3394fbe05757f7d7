// DriverConnection: the channel to one instance of a driver, and the calls that are open on it. What the clients of all
// APIs share. Thread-safe.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/monotonic_time.h"
#include "common/threads/mutex.h"
#include "common/unixsocket/calls_in_flight.h"
#include "dra/plugin/driver_call_metrics.h"
#include "grpcpp/channel.h"

namespace kubelet_cm::dra {

// Under which name calls are measured, and by whom, who outlives them; null: they are not.
struct CallMeter {
  const DriverCallMetrics* metrics = nullptr;
  std::string driver_name = {};
};

// As it is on the wire: "v1alpha3.Node", "NodePrepareResources".
struct RpcMethod {
  const char* service;
  const char* name;
};

class DriverConnection {
 public:
  // What a kubelet takes, which is gRPC's own limit in Go. The connection takes more, for lists of devices' health.
  static constexpr size_t kMaxAnswerBytes = size_t{4} << 20;

  // With a `connect_limit`, calls fail until there has been a connection, which gets that long each time.
  explicit DriverConnection(std::shared_ptr<grpc::Channel> channel, CallMeter meter = {},
                            std::optional<absl::Duration> connect_limit = std::nullopt)
      : channel_(std::move(channel)), meter_(std::move(meter)), connect_limit_(connect_limit) {}
  DriverConnection(const DriverConnection&) = delete;
  DriverConnection& operator=(const DriverConnection&) = delete;

  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  CallsInFlight& calls() { return calls_; }

  // Makes one call as CallsInFlight::Unary does, and measures it. An answer of more than kMaxAnswerBytes is
  // ResourceExhausted, in Go's words.
  template <typename Response, typename Rpc>
  absl::StatusOr<Response> Unary(RpcMethod method, absl::Duration timeout, Rpc rpc) {
    if (absl::Status connecting = AwaitConnecting(); !connecting.ok()) return connecting;
    const MonotonicTime begun = Now();
    absl::StatusOr<Response> response = calls_.Unary<Response>(timeout, std::move(rpc));
    if (response.ok() && response->ByteSizeLong() > kMaxAnswerBytes) response = TooLarge(response->ByteSizeLong());
    Record(method, response.status(), begun);
    return response;
  }

  // What becomes of an answer of more than kMaxAnswerBytes, in Go's words.
  static absl::Status TooLarge(size_t bytes);

  // As DraClient's methods of these names.
  absl::StatusOr<bool> WaitForConnectionChange(bool known);
  void Disconnect();

 private:
  // OK when connecting has come to an end, be it a failure.
  absl::Status AwaitConnecting();
  bool disconnected() const;
  MonotonicTime Now() const;
  void Record(RpcMethod method, const absl::Status& status, MonotonicTime begun) const;

  const std::shared_ptr<grpc::Channel> channel_;
  const CallMeter meter_;
  const std::optional<absl::Duration> connect_limit_;
  CallsInFlight calls_;
  mutable Mutex mu_;
  bool has_connected_ ABSL_GUARDED_BY(mu_) = false;
  bool disconnected_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_
