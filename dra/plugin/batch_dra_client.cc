#include "dra/plugin/batch_dra_client.h"

#include <utility>

#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "dra/api/v1.grpc.pb.h"
#include "dra/api/v1beta1.grpc.pb.h"
#include "dra/plugin/device_messages.h"

namespace kubelet_cm::dra {
namespace {

namespace dra_v1 = ::k8s::io::kubelet::pkg::apis::dra::v1;
namespace dra_v1beta1 = ::k8s::io::kubelet::pkg::apis::dra::v1beta1;

struct V1 {
  using Service = dra_v1::DRAPlugin;
  using PrepareRequest = dra_v1::NodePrepareResourcesRequest;
  using PrepareResponse = dra_v1::NodePrepareResourcesResponse;
  using UnprepareRequest = dra_v1::NodeUnprepareResourcesRequest;
  using UnprepareResponse = dra_v1::NodeUnprepareResourcesResponse;
};

struct V1Beta1 {
  using Service = dra_v1beta1::DRAPlugin;
  using PrepareRequest = dra_v1beta1::NodePrepareResourcesRequest;
  using PrepareResponse = dra_v1beta1::NodePrepareResourcesResponse;
  using UnprepareRequest = dra_v1beta1::NodeUnprepareResourcesRequest;
  using UnprepareResponse = dra_v1beta1::NodeUnprepareResourcesResponse;
};

template <typename Request>
Request RequestAbout(DraClient::Claims claims) {
  Request request;
  for (const ClaimRef& claim : claims) {
    auto& added = *request.add_claims();
    added.set_namespace_(claim.id.namespace_name);
    added.set_uid(claim.id.uid);
    added.set_name(claim.id.name);
  }
  return request;
}

template <typename Api>
class BatchDraClient : public DraClient {
 public:
  explicit BatchDraClient(std::shared_ptr<DriverConnection> connection)
      : connection_(std::move(connection)), stub_(Api::Service::NewStub(connection_->channel())) {}

  absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override {
    using Response = typename Api::PrepareResponse;
    const auto request = RequestAbout<typename Api::PrepareRequest>(claims);
    const auto rpc = [&](grpc::ClientContext* context, Response* response) {
      return stub_->NodePrepareResources(context, request, response);
    };
    ASSIGN_OR_RETURN(
        const Response response,
        connection_->Unary<Response>({Api::Service::service_full_name(), "NodePrepareResources"}, timeout, rpc));
    ClaimAnswers answers;
    for (const auto& [uid, result] : response.claims()) {
      ClaimAnswer& answer = answers[uid];
      for (const auto& device : result.devices()) answer.devices.push_back(ToClaimDevice(device));
      answer.error = result.error();
    }
    return answers;
  }

  absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override {
    using Response = typename Api::UnprepareResponse;
    const auto request = RequestAbout<typename Api::UnprepareRequest>(claims);
    const auto rpc = [&](grpc::ClientContext* context, Response* response) {
      return stub_->NodeUnprepareResources(context, request, response);
    };
    ASSIGN_OR_RETURN(
        const Response response,
        connection_->Unary<Response>({Api::Service::service_full_name(), "NodeUnprepareResources"}, timeout, rpc));
    ClaimAnswers answers;
    for (const auto& [uid, result] : response.claims()) answers[uid].error = result.error();
    return answers;
  }

  absl::StatusOr<bool> WaitForConnectionChange(bool known) override {
    return connection_->WaitForConnectionChange(known);
  }
  void Disconnect() override { connection_->Disconnect(); }

 private:
  const std::shared_ptr<DriverConnection> connection_;
  const std::unique_ptr<typename Api::Service::Stub> stub_;
};

}  // namespace

std::unique_ptr<DraClient> NewBatchDraClient(DraApi api, std::shared_ptr<DriverConnection> connection) {
  if (api == DraApi::kV1) return std::make_unique<BatchDraClient<V1>>(std::move(connection));
  CHECK(api == DraApi::kV1Beta1) << ApiName(api) << " is no API of this client";
  return std::make_unique<BatchDraClient<V1Beta1>>(std::move(connection));
}

}  // namespace kubelet_cm::dra
