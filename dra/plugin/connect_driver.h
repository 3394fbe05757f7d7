// ConnectDriver: from the socket of a driver to a DraClient. For any thread; does not block.
#ifndef KUBELET_CM_DRA_PLUGIN_CONNECT_DRIVER_H_
#define KUBELET_CM_DRA_PLUGIN_CONNECT_DRIVER_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "dra/api/dra_api.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/driver_call_metrics.h"
#include "dra/plugin/driver_connection.h"

namespace kubelet_cm::dra {

struct DriverAddress {
  std::string driver_name;
  std::string endpoint;  // the path of its socket
  DraApi api = DraApi::kV1;
  int max_receive_bytes = 16 << 20;  // of one answer
  // Of v1alpha3: that the driver wants v1alpha2 is remembered.
  bool remembers_fallback = true;
  // How long calls wait for the first connection; nothing: gRPC decides.
  std::optional<absl::Duration> connect_limit = {};
  // Measures the calls, and outlives the client; null: nobody does.
  const DriverCallMetrics* metrics = nullptr;
};

// `connection`, if given, receives what the client calls through; for the driver's health. It connects when it is used
// first, or waited for. Errors read `create gRPC connection to DRA driver ...`: the path is none of a socket.
absl::StatusOr<std::unique_ptr<DraClient>> ConnectDriver(const DriverAddress& address,
                                                         std::shared_ptr<DriverConnection>* connection = nullptr);

struct ConnectedDriver {
  std::shared_ptr<DraClient> client;
  std::shared_ptr<DriverConnection> connection = {};  // null for a driver that is not behind a socket
};

// How the registry gets at a driver that registers: thread-safe, does not wait for a connection.
using ConnectToDriver = std::function<absl::StatusOr<ConnectedDriver>(const DriverAddress& address)>;

// By ConnectDriver, measured. `metrics` outlives what is connected; null: not measured.
ConnectToDriver ConnectOverSockets(const DriverCallMetrics* metrics);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_CONNECT_DRIVER_H_
