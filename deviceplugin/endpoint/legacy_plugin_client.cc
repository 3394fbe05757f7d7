#include "deviceplugin/endpoint/legacy_plugin_client.h"

#include <memory>
#include <utility>

#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "deviceplugin/api/legacy_messages.h"
#include "deviceplugin/endpoint/grpc_device_stream.h"

namespace kubelet_cm::deviceplugin {
namespace {

ListMessage Convert(std::shared_ptr<const ::deviceplugin::ListAndWatchResponse> list) {
  return std::make_shared<const v1beta1::ListAndWatchResponse>(FromLegacyList(*list));
}

}  // namespace

LegacyPluginClient::LegacyPluginClient(PluginApi api, const std::shared_ptr<grpc::Channel>& channel, Logger& log)
    : api_(api), log_(log), stub_(::deviceplugin::DevicePlugin::NewStub(channel)) {
  CHECK(api != PluginApi::kV1Beta1) << "v1beta1 is no legacy API";
}

absl::StatusOr<v1beta1::DevicePluginOptions> LegacyPluginClient::GetOptions(absl::Duration) {
  return v1beta1::DevicePluginOptions();
}

absl::StatusOr<v1beta1::AllocateResponse> LegacyPluginClient::Allocate(DeviceIds ids, absl::Duration timeout) {
  ::deviceplugin::AllocateRequest request;
  request.mutable_devicesids()->Add(ids.begin(), ids.end());
  ASSIGN_OR_RETURN(const ::deviceplugin::AllocateResponse response,
                   calls_.Unary<::deviceplugin::AllocateResponse>(
                       timeout, [&](grpc::ClientContext* context, ::deviceplugin::AllocateResponse* answer) {
                         return stub_->Allocate(context, request, answer);
                       }));
  ASSIGN_OR_RETURN(LegacyAnswer answer, FromLegacyAnswer(api_, response));
  for (const LegacyAnswer::Conflict& conflict : answer.conflicts) {
    log_.Error(conflict.message, {{"key", conflict.key}});
  }
  return std::move(answer.response);
}

absl::StatusOr<v1beta1::PreferredAllocationResponse> LegacyPluginClient::GetPreferredAllocation(DeviceIds, DeviceIds,
                                                                                                int32_t,
                                                                                                absl::Duration) {
  return absl::UnimplementedError("the plugin's API has no GetPreferredAllocation");
}

absl::Status LegacyPluginClient::PreStartContainer(DeviceIds, absl::Duration) {
  return absl::UnimplementedError("the plugin's API has no PreStartContainer");
}

std::unique_ptr<DeviceStream> LegacyPluginClient::ListAndWatch() {
  absl::StatusOr<CallsInFlight::Context> context = calls_.Begin(absl::InfiniteDuration());
  if (!context.ok()) return std::make_unique<FailedDeviceStream>(context.status());
  auto reader = stub_->ListAndWatch(context->get(), {});
  return std::make_unique<GrpcDeviceStream<::deviceplugin::ListAndWatchResponse>>(*std::move(context),
                                                                                  std::move(reader), Convert);
}

}  // namespace kubelet_cm::deviceplugin
