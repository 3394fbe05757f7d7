#include "dra/plugin/singular_dra_client.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/status/check.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/deadline.h"
#include "dra/api/v1alpha1.grpc.pb.h"
#include "dra/api/v1alpha2.grpc.pb.h"
#include "dra/plugin/device_messages.h"
#include "dra/plugin/structured_message.h"

namespace kubelet_cm::dra {
namespace {

struct V1Alpha2 {
  using Service = ::v1alpha2::Node;
  using PrepareRequest = ::v1alpha2::NodePrepareResourceRequest;
  using PrepareResponse = ::v1alpha2::NodePrepareResourceResponse;
  using UnprepareRequest = ::v1alpha2::NodeUnprepareResourceRequest;
  using UnprepareResponse = ::v1alpha2::NodeUnprepareResourceResponse;
};

struct V1Alpha1 {
  using Service = ::v1alpha1::Node;
  using PrepareRequest = ::v1alpha1::NodePrepareResourceRequest;
  using PrepareResponse = ::v1alpha1::NodePrepareResourceResponse;
  using UnprepareRequest = ::v1alpha1::NodeUnprepareResourceRequest;
  using UnprepareResponse = ::v1alpha1::NodeUnprepareResourceResponse;
};

// What the request of the API has no field for is left out.
template <typename Request>
Request RequestAbout(const ClaimRef& claim, const ResourceHandle& handle) {
  Request request;
  request.set_namespace_(claim.id.namespace_name);
  request.set_claim_uid(claim.id.uid);
  request.set_claim_name(claim.id.name);
  if constexpr (requires { request.set_resource_handle(handle.data); }) request.set_resource_handle(handle.data);
  if constexpr (requires { request.add_structured_resource_handle(); }) {
    if (handle.structured_data.has_value()) {
      *request.add_structured_resource_handle() = ToMessage(*handle.structured_data);
    }
  }
  if constexpr (requires { request.mutable_cdi_devices(); }) {
    request.mutable_cdi_devices()->Add(claim.cdi_device_ids.begin(), claim.cdi_device_ids.end());
  }
  return request;
}

// Without any handle a claim has one that is empty.
std::vector<ResourceHandle> HandlesOf(const ClaimRef& claim) {
  return claim.handles.empty() ? std::vector<ResourceHandle>(1) : claim.handles;
}

// Whether an error says something of the driver, so that other claims would fare no better.
bool IsAboutTheDriver(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsUnimplemented(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsCancelled(status);
}

// Asks about each claim. `ask` is called with a claim, the time that is left and the answer to fill.
template <typename Ask>
absl::StatusOr<ClaimAnswers> OneByOne(DraClient::Claims claims, absl::Duration timeout, SingularErrors errors,
                                      Ask ask) {
  const gpr_timespec deadline = DeadlineIn(timeout);
  ClaimAnswers answers;
  for (const ClaimRef& claim : claims) {
    ClaimAnswer answer;
    const absl::Status status = ask(claim, deadline, answer);
    if (errors == SingularErrors::kMayBeTheDrivers && IsAboutTheDriver(status)) return status;
    if (!status.ok()) answer = {.error = GoRpcErrorText(status)};
    answers[claim.id.uid] = std::move(answer);
  }
  return answers;
}

template <typename Api>
class SingularDraClient : public DraClient {
 public:
  SingularDraClient(std::shared_ptr<DriverConnection> connection, SingularErrors errors)
      : connection_(std::move(connection)), stub_(Api::Service::NewStub(connection_->channel())), errors_(errors) {}

  absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override {
    return OneByOne(claims, timeout, errors_, [&](const ClaimRef& claim, gpr_timespec deadline, ClaimAnswer& answer) {
      return PrepareClaim(claim, deadline, answer);
    });
  }

  absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override {
    return OneByOne(claims, timeout, errors_, [&](const ClaimRef& claim, gpr_timespec deadline, ClaimAnswer&) {
      return UnprepareClaim(claim, deadline);
    });
  }

  absl::StatusOr<bool> WaitForConnectionChange(bool known) override {
    return connection_->WaitForConnectionChange(known);
  }
  void Disconnect() override { connection_->Disconnect(); }

 private:
  absl::Status PrepareClaim(const ClaimRef& claim, gpr_timespec deadline, ClaimAnswer& answer) {
    using Response = typename Api::PrepareResponse;
    for (const ResourceHandle& handle : HandlesOf(claim)) {
      const auto request = RequestAbout<typename Api::PrepareRequest>(claim, handle);
      const auto rpc = [&](grpc::ClientContext* context, Response* response) {
        return stub_->NodePrepareResource(context, request, response);
      };
      ASSIGN_OR_RETURN(const Response response,
                       connection_->Unary<Response>({Api::Service::service_full_name(), "NodePrepareResource"},
                                                    TimeUntil(deadline), rpc));
      AddCdiNames(response.cdi_devices(), answer.devices);
    }
    return absl::OkStatus();
  }

  absl::Status UnprepareClaim(const ClaimRef& claim, gpr_timespec deadline) {
    using Response = typename Api::UnprepareResponse;
    for (const ResourceHandle& handle : HandlesOf(claim)) {
      const auto request = RequestAbout<typename Api::UnprepareRequest>(claim, handle);
      const auto rpc = [&](grpc::ClientContext* context, Response* response) {
        return stub_->NodeUnprepareResource(context, request, response);
      };
      const absl::StatusOr<Response> response = connection_->Unary<Response>(
          {Api::Service::service_full_name(), "NodeUnprepareResource"}, TimeUntil(deadline), rpc);
      RETURN_IF_ERROR(response.status());
    }
    return absl::OkStatus();
  }

  const std::shared_ptr<DriverConnection> connection_;
  const std::unique_ptr<typename Api::Service::Stub> stub_;
  const SingularErrors errors_;
};

}  // namespace

std::unique_ptr<DraClient> NewSingularDraClient(DraApi api, std::shared_ptr<DriverConnection> connection,
                                                SingularErrors errors) {
  if (api == DraApi::kV1Alpha2) return std::make_unique<SingularDraClient<V1Alpha2>>(std::move(connection), errors);
  CHECK(api == DraApi::kV1Alpha1) << ApiName(api) << " is no API of this client";
  return std::make_unique<SingularDraClient<V1Alpha1>>(std::move(connection), errors);
}

}  // namespace kubelet_cm::dra
