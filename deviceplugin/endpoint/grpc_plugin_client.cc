#include "deviceplugin/endpoint/grpc_plugin_client.h"

#include <utility>

#include "deviceplugin/endpoint/grpc_device_stream.h"

namespace kubelet_cm::deviceplugin {
namespace {

template <typename Field>
void Fill(PluginClient::DeviceIds ids, Field& field) {
  field.Add(ids.begin(), ids.end());
}

ListMessage AsItIs(ListMessage list) { return list; }

}  // namespace

GrpcPluginClient::GrpcPluginClient(const std::shared_ptr<grpc::Channel>& channel)
    : stub_(v1beta1::DevicePlugin::NewStub(channel)) {}

absl::StatusOr<v1beta1::DevicePluginOptions> GrpcPluginClient::GetOptions(absl::Duration timeout) {
  return calls_.Unary<v1beta1::DevicePluginOptions>(
      timeout, [&](grpc::ClientContext* context, v1beta1::DevicePluginOptions* response) {
        return stub_->GetDevicePluginOptions(context, {}, response);
      });
}

absl::StatusOr<v1beta1::AllocateResponse> GrpcPluginClient::Allocate(DeviceIds ids, absl::Duration timeout) {
  v1beta1::AllocateRequest request;
  Fill(ids, *request.add_container_requests()->mutable_devices_ids());
  return calls_.Unary<v1beta1::AllocateResponse>(
      timeout, [&](grpc::ClientContext* context, v1beta1::AllocateResponse* response) {
        return stub_->Allocate(context, request, response);
      });
}

absl::StatusOr<v1beta1::PreferredAllocationResponse> GrpcPluginClient::GetPreferredAllocation(DeviceIds available,
                                                                                              DeviceIds must_include,
                                                                                              int32_t size,
                                                                                              absl::Duration timeout) {
  v1beta1::PreferredAllocationRequest request;
  v1beta1::ContainerPreferredAllocationRequest& container = *request.add_container_requests();
  Fill(available, *container.mutable_available_deviceids());
  Fill(must_include, *container.mutable_must_include_deviceids());
  container.set_allocation_size(size);
  return calls_.Unary<v1beta1::PreferredAllocationResponse>(
      timeout, [&](grpc::ClientContext* context, v1beta1::PreferredAllocationResponse* response) {
        return stub_->GetPreferredAllocation(context, request, response);
      });
}

absl::Status GrpcPluginClient::PreStartContainer(DeviceIds ids, absl::Duration timeout) {
  v1beta1::PreStartContainerRequest request;
  Fill(ids, *request.mutable_devices_ids());
  return calls_
      .Unary<v1beta1::PreStartContainerResponse>(
          timeout,
          [&](grpc::ClientContext* context, v1beta1::PreStartContainerResponse* response) {
            return stub_->PreStartContainer(context, request, response);
          })
      .status();
}

std::unique_ptr<DeviceStream> GrpcPluginClient::ListAndWatch() {
  absl::StatusOr<CallsInFlight::Context> context = calls_.Begin(absl::InfiniteDuration());
  if (!context.ok()) return std::make_unique<FailedDeviceStream>(context.status());
  std::unique_ptr<grpc::ClientReader<v1beta1::ListAndWatchResponse>> reader = stub_->ListAndWatch(context->get(), {});
  return std::make_unique<GrpcDeviceStream<v1beta1::ListAndWatchResponse>>(*std::move(context), std::move(reader),
                                                                           AsItIs);
}

}  // namespace kubelet_cm::deviceplugin
