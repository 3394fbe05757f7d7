// DriverConnection: the channel to one instance of a driver, and the calls that are open on it. What the clients of all
// APIs share. Thread-safe.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "common/threads/mutex.h"
#include "common/unixsocket/calls_in_flight.h"
#include "grpcpp/channel.h"

namespace kubelet_cm::dra {

class DriverConnection {
 public:
  explicit DriverConnection(std::shared_ptr<grpc::Channel> channel) : channel_(std::move(channel)) {}
  DriverConnection(const DriverConnection&) = delete;
  DriverConnection& operator=(const DriverConnection&) = delete;

  const std::shared_ptr<grpc::Channel>& channel() const { return channel_; }
  CallsInFlight& calls() { return calls_; }

  // As DraClient's methods of these names.
  absl::StatusOr<bool> WaitForConnectionChange(bool known);
  void Disconnect();

 private:
  bool disconnected() const;

  const std::shared_ptr<grpc::Channel> channel_;
  CallsInFlight calls_;
  mutable Mutex mu_;
  bool disconnected_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_CONNECTION_H_
