#include "dra/plugin/connect_driver.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "dra/plugin/batch_dra_client.h"
#include "dra/plugin/node_dra_client.h"
#include "dra/plugin/shown_text.h"
#include "dra/plugin/singular_dra_client.h"

namespace kubelet_cm::dra {
namespace {

std::unique_ptr<DraClient> NewClient(const DriverAddress& address, std::shared_ptr<DriverConnection> connection) {
  const DraApi api = address.api;
  switch (api) {
    case DraApi::kV1:
    case DraApi::kV1Beta1:
      return NewBatchDraClient(api, std::move(connection));
    case DraApi::kV1Alpha4:
    case DraApi::kV1Alpha3:
      return std::make_unique<NodeDraClient>(api, std::move(connection), address.remembers_fallback);
    case DraApi::kV1Alpha2:
    case DraApi::kV1Alpha1:
      return NewSingularDraClient(api, std::move(connection));
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DraClient>> ConnectDriver(const DriverAddress& address,
                                                         std::shared_ptr<DriverConnection>* connection) {
  const auto channel = UnixSocketChannel(address.endpoint, {.max_receive_bytes = address.max_receive_bytes});
  if (!channel.ok()) {
    const absl::Status& why = channel.status();
    return absl::Status(why.code(), absl::StrCat("create gRPC connection to DRA driver ", Shown(address.driver_name),
                                                 " plugin at endpoint ", Shown(address.endpoint), ": ", why.message()));
  }
  auto made = std::make_shared<DriverConnection>(
      *channel, CallMeter{.metrics = address.metrics, .driver_name = address.driver_name}, address.connect_limit);
  if (connection != nullptr) *connection = made;
  return NewClient(address, std::move(made));
}

ConnectToDriver ConnectOverSockets(const DriverCallMetrics* metrics) {
  return [metrics](DriverAddress address) -> absl::StatusOr<ConnectedDriver> {
    address.metrics = metrics;
    ConnectedDriver connected;
    ASSIGN_OR_RETURN(connected.client, ConnectDriver(address, &connected.connection));
    return connected;
  };
}

}  // namespace kubelet_cm::dra
