// LegacyPluginClient: a PluginClient of a plugin that speaks an API of before v1beta1. Made by ConnectPlugin.
//
// Those APIs have ListAndWatch and Allocate alone: the options are "neither", without asking, and what they name is
// kUnimplemented.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_LEGACY_PLUGIN_CLIENT_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_LEGACY_PLUGIN_CLIENT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/unixsocket/calls_in_flight.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/api/v1alpha.grpc.pb.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "grpcpp/channel.h"

namespace kubelet_cm::deviceplugin {

class LegacyPluginClient : public PluginClient {
 public:
  // `api` is not kV1Beta1. `log` hears of answers that contradict themselves, and outlives the client.
  LegacyPluginClient(PluginApi api, const std::shared_ptr<grpc::Channel>& channel, Logger& log);

  absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions(absl::Duration timeout) override;
  absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids, absl::Duration timeout) override;
  absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                              DeviceIds must_include, int32_t size,
                                                                              absl::Duration timeout) override;
  absl::Status PreStartContainer(DeviceIds ids, absl::Duration timeout) override;
  std::unique_ptr<DeviceStream> ListAndWatch() override;
  void Disconnect() override { calls_.CancelAll(); }

 private:
  const PluginApi api_;
  Logger& log_;
  const std::unique_ptr<::deviceplugin::DevicePlugin::Stub> stub_;
  CallsInFlight calls_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_LEGACY_PLUGIN_CLIENT_H_
