// GrpcPluginClient: a PluginClient of a plugin that speaks v1beta1. Made by ConnectPlugin (connect_plugin.h).
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_PLUGIN_CLIENT_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_PLUGIN_CLIENT_H_

#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/unixsocket/calls_in_flight.h"
#include "deviceplugin/api/v1beta1.grpc.pb.h"
#include "deviceplugin/endpoint/plugin_client.h"
#include "grpcpp/channel.h"

namespace kubelet_cm::deviceplugin {

class GrpcPluginClient : public PluginClient {
 public:
  explicit GrpcPluginClient(const std::shared_ptr<grpc::Channel>& channel);

  absl::StatusOr<v1beta1::DevicePluginOptions> GetOptions(absl::Duration timeout) override;
  absl::StatusOr<v1beta1::AllocateResponse> Allocate(DeviceIds ids, absl::Duration timeout) override;
  absl::StatusOr<v1beta1::PreferredAllocationResponse> GetPreferredAllocation(DeviceIds available,
                                                                              DeviceIds must_include, int32_t size,
                                                                              absl::Duration timeout) override;
  absl::Status PreStartContainer(DeviceIds ids, absl::Duration timeout) override;
  std::unique_ptr<DeviceStream> ListAndWatch() override;
  void Disconnect() override { calls_.CancelAll(); }

 private:
  const std::unique_ptr<v1beta1::DevicePlugin::Stub> stub_;
  CallsInFlight calls_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_GRPC_PLUGIN_CLIENT_H_
