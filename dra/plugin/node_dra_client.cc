#include "dra/plugin/node_dra_client.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/utf8.h"
#include "common/status/check.h"
#include "common/status/status_macros.h"
#include "dra/plugin/device_messages.h"
#include "dra/plugin/singular_dra_client.h"
#include "dra/plugin/structured_message.h"

namespace kubelet_cm::dra {
namespace {

void AddClaim(const ClaimRef& claim, const ResourceHandle& handle,
              google::protobuf::RepeatedPtrField<::v1alpha3::Claim>& claims) {
  ::v1alpha3::Claim& added = *claims.Add();
  added.set_namespace_(claim.id.namespace_name);
  added.set_uid(claim.id.uid);
  added.set_name(claim.id.name);
  added.set_resource_handle(handle.data);
  if (handle.structured_data.has_value()) *added.add_structured_resource_handle() = ToMessage(*handle.structured_data);
}

template <typename Request>
Request RequestAbout(DraApi api, DraClient::Claims claims) {
  Request request;
  for (const ClaimRef& claim : claims) {
    const bool has_handles = api == DraApi::kV1Alpha3 && !claim.handles.empty();
    if (!has_handles) AddClaim(claim, {}, *request.mutable_claims());
    if (!has_handles) continue;
    for (const ResourceHandle& handle : claim.handles) AddClaim(claim, handle, *request.mutable_claims());
  }
  return request;
}

bool IsUtf8(std::string_view text) {
  while (!text.empty()) {
    const DecodedRune rune = DecodeRune(text);
    if (rune.malformed()) return false;
    text.remove_prefix(rune.width);
  }
  return true;
}

// Adds what the driver sent, of which only the API says what it is. False if it is not of that API.
bool AddDevices(DraApi api, const ::v1alpha3::NodePrepareResourceResponse& result, std::vector<ClaimDevice>& devices) {
  if (api == DraApi::kV1Alpha3) {
    AddCdiNames(result.devices(), devices);
    return std::all_of(result.devices().begin(), result.devices().end(), IsUtf8);
  }
  for (const std::string& bytes : result.devices()) {
    ::v1alpha3::Device device;
    if (!device.ParseFromString(bytes)) return false;
    devices.push_back(ToClaimDevice(device));
  }
  return true;
}

}  // namespace

NodeDraClient::NodeDraClient(DraApi api, std::shared_ptr<DriverConnection> connection, bool remembers)
    : api_(api),
      remembers_(remembers),
      connection_(std::move(connection)),
      stub_(::v1alpha3::Node::NewStub(connection_->channel())),
      singular_(api == DraApi::kV1Alpha3
                    ? NewSingularDraClient(DraApi::kV1Alpha2, connection_, SingularErrors::kAreTheClaims)
                    : nullptr) {
  CHECK(api == DraApi::kV1Alpha4 || api == DraApi::kV1Alpha3) << ApiName(api) << " is no API of this client";
}

absl::StatusOr<ClaimAnswers> NodeDraClient::Prepare(Claims claims, absl::Duration timeout) {
  if (is_singular()) return singular_->Prepare(claims, timeout);
  using Response = ::v1alpha3::NodePrepareResourcesResponse;
  const auto request = RequestAbout<::v1alpha3::NodePrepareResourcesRequest>(api_, claims);
  const absl::StatusOr<Response> response =
      connection_->Unary<Response>({::v1alpha3::Node::service_full_name(), "NodePrepareResources"}, timeout,
                                   [&](grpc::ClientContext* context, Response* answer) {
                                     return stub_->NodePrepareResources(context, request, answer);
                                   });
  if (WantsSingularCalls(response.status())) return singular_->Prepare(claims, timeout);
  RETURN_IF_ERROR(response.status());
  ClaimAnswers answers;
  for (const auto& [uid, result] : response->claims()) {
    ClaimAnswer& answer = answers[uid];
    answer.error = result.error();
    if (!AddDevices(api_, result, answer.devices)) {
      return absl::InternalError(absl::StrCat("the driver's answer to NodePrepareResources is not one of API version ",
                                              std::string(ApiName(api_))));
    }
  }
  return answers;
}

absl::StatusOr<ClaimAnswers> NodeDraClient::Unprepare(Claims claims, absl::Duration timeout) {
  if (is_singular()) return singular_->Unprepare(claims, timeout);
  using Response = ::v1alpha3::NodeUnprepareResourcesResponse;
  const auto request = RequestAbout<::v1alpha3::NodeUnprepareResourcesRequest>(api_, claims);
  const absl::StatusOr<Response> response =
      connection_->Unary<Response>({::v1alpha3::Node::service_full_name(), "NodeUnprepareResources"}, timeout,
                                   [&](grpc::ClientContext* context, Response* answer) {
                                     return stub_->NodeUnprepareResources(context, request, answer);
                                   });
  if (WantsSingularCalls(response.status())) return singular_->Unprepare(claims, timeout);
  RETURN_IF_ERROR(response.status());
  ClaimAnswers answers;
  for (const auto& [uid, result] : response->claims()) answers[uid].error = result.error();
  return answers;
}

absl::StatusOr<bool> NodeDraClient::WaitForConnectionChange(bool known) {
  return connection_->WaitForConnectionChange(known);
}

void NodeDraClient::Disconnect() { connection_->Disconnect(); }

bool NodeDraClient::WantsSingularCalls(const absl::Status& status) {
  if (singular_ == nullptr || !absl::IsUnimplemented(status)) return false;
  MutexLock lock(&mu_);
  is_singular_ = remembers_;
  return true;
}

bool NodeDraClient::is_singular() const {
  MutexLock lock(&mu_);
  return is_singular_;
}

}  // namespace kubelet_cm::dra
