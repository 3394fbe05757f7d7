#include "testing/fakes/driver_service.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/pluginregistration/pluginregistration.grpc.pb.h"
#include "common/status/grpc_status.h"
#include "dra/api/v1.grpc.pb.h"
#include "dra/api/v1alpha1.grpc.pb.h"
#include "dra/api/v1alpha2.grpc.pb.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "dra/api/v1beta1.grpc.pb.h"

namespace kubelet_cm::fakes {
namespace {

using dra::DraApi;
using SessionId = ScriptedDriver::SessionId;

namespace dra_v1 = ::k8s::io::kubelet::pkg::apis::dra::v1;
namespace dra_v1beta1 = ::k8s::io::kubelet::pkg::apis::dra::v1beta1;

template <typename Message>
void FillDevice(const dra::ClaimDevice& device, Message& message) {
  message.set_pool_name(device.pool_name);
  message.set_device_name(device.device_name);
  for (const std::string& name : device.request_names) message.add_request_names(name);
  for (const std::string& id : device.cdi_device_ids) message.add_cdi_device_ids(id);
  if constexpr (requires { message.has_share_id(); }) {
    if (device.share_id.has_value()) message.set_share_id(*device.share_id);
  }
}

template <typename Request>
ScriptedDriver::Claims ClaimsOf(const Request& request) {
  ScriptedDriver::Claims claims;
  for (const auto& claim : request.claims()) claims.push_back({claim.namespace_(), claim.name(), claim.uid()});
  return claims;
}

template <typename Response>
grpc::Status ErrorsOnly(const absl::StatusOr<dra::ClaimAnswers>& answers, Response* response) {
  if (!answers.ok()) return ToGrpcStatus(answers.status());
  for (const auto& [uid, answer] : *answers) (*response->mutable_claims())[uid].set_error(answer.error);
  return grpc::Status::OK;
}

// v1 and v1beta1.
template <typename Service, typename PrepareRequest, typename PrepareResponse, typename UnprepareRequest,
          typename UnprepareResponse>
class BatchService : public Service {
 public:
  BatchService(ScriptedDriver& driver, SessionId session) : driver_(driver), session_(session) {}

  grpc::Status NodePrepareResources(grpc::ServerContext*, const PrepareRequest* request,
                                    PrepareResponse* response) override {
    const absl::StatusOr<dra::ClaimAnswers> answers = driver_.Prepare(session_, ClaimsOf(*request));
    if (!answers.ok()) return ToGrpcStatus(answers.status());
    for (const auto& [uid, answer] : *answers) {
      auto& result = (*response->mutable_claims())[uid];
      result.set_error(answer.error);
      for (const dra::ClaimDevice& device : answer.devices) FillDevice(device, *result.add_devices());
    }
    return grpc::Status::OK;
  }
  grpc::Status NodeUnprepareResources(grpc::ServerContext*, const UnprepareRequest* request,
                                      UnprepareResponse* response) override {
    return ErrorsOnly(driver_.Unprepare(session_, ClaimsOf(*request)), response);
  }

 private:
  ScriptedDriver& driver_;
  const SessionId session_;
};

using V1Service =
    BatchService<dra_v1::DRAPlugin::Service, dra_v1::NodePrepareResourcesRequest, dra_v1::NodePrepareResourcesResponse,
                 dra_v1::NodeUnprepareResourcesRequest, dra_v1::NodeUnprepareResourcesResponse>;
using V1Beta1Service =
    BatchService<dra_v1beta1::DRAPlugin::Service, dra_v1beta1::NodePrepareResourcesRequest,
                 dra_v1beta1::NodePrepareResourcesResponse, dra_v1beta1::NodeUnprepareResourcesRequest,
                 dra_v1beta1::NodeUnprepareResourcesResponse>;

// v1alpha4 and v1alpha3.
class NodeService : public ::v1alpha3::Node::Service {
 public:
  NodeService(DraApi api, ScriptedDriver& driver, SessionId session, ModelFeed* models)
      : api_(api), driver_(driver), session_(session), models_(models) {}

  grpc::Status NodePrepareResources(grpc::ServerContext*, const ::v1alpha3::NodePrepareResourcesRequest* request,
                                    ::v1alpha3::NodePrepareResourcesResponse* response) override {
    const absl::StatusOr<dra::ClaimAnswers> answers = driver_.Prepare(session_, ClaimsOf(*request));
    if (!answers.ok()) return ToGrpcStatus(answers.status());
    for (const auto& [uid, answer] : *answers) {
      ::v1alpha3::NodePrepareResourceResponse& result = (*response->mutable_claims())[uid];
      result.set_error(answer.error);
      for (const dra::ClaimDevice& device : answer.devices) AddDevice(device, result);
    }
    return grpc::Status::OK;
  }
  grpc::Status NodeUnprepareResources(grpc::ServerContext*, const ::v1alpha3::NodeUnprepareResourcesRequest* request,
                                      ::v1alpha3::NodeUnprepareResourcesResponse* response) override {
    return ErrorsOnly(driver_.Unprepare(session_, ClaimsOf(*request)), response);
  }
  grpc::Status NodeListAndWatchResources(
      grpc::ServerContext* context, const ::v1alpha3::NodeListAndWatchResourcesRequest* request,
      grpc::ServerWriter<::v1alpha3::NodeListAndWatchResourcesResponse>* writer) override {
    if (models_ == nullptr || api_ != DraApi::kV1Alpha3) {
      return Service::NodeListAndWatchResources(context, request, writer);  // Unimplemented
    }
    const ModelFeed::StreamId stream = models_->Open(session_);
    absl::StatusOr<dra::ResourceModels> models = models_->Next(stream);
    while (models.ok()) {
      ::v1alpha3::NodeListAndWatchResourcesResponse response;
      for (const dra::ResourceModel& model : *models) *response.add_resources() = model;
      if (!writer->Write(response)) break;
      models = models_->Next(stream);
    }
    models_->Forget(stream);
    return absl::IsOutOfRange(models.status()) ? grpc::Status::OK : ToGrpcStatus(models.status());
  }

 private:
  void AddDevice(const dra::ClaimDevice& device, ::v1alpha3::NodePrepareResourceResponse& result) const {
    if (api_ == DraApi::kV1Alpha3) {
      for (const std::string& id : device.cdi_device_ids) result.add_devices(id);
      return;
    }
    ::v1alpha3::Device message;
    FillDevice(device, message);
    result.add_devices(message.SerializeAsString());
  }

  const DraApi api_;
  ScriptedDriver& driver_;
  const SessionId session_;
  ModelFeed* const models_;
};

// What a call about one claim returns: an error about the claim is the call's.
absl::StatusOr<dra::ClaimAnswer> OnlyAnswer(const absl::StatusOr<dra::ClaimAnswers>& answers, const std::string& uid) {
  if (!answers.ok()) return answers.status();
  const auto answer = answers->find(uid);
  if (answer == answers->end()) return dra::ClaimAnswer();
  if (!answer->second.error.empty()) return absl::UnknownError(answer->second.error);
  return answer->second;
}

// v1alpha2 and v1alpha1.
template <typename Service, typename PrepareRequest, typename PrepareResponse, typename UnprepareRequest,
          typename UnprepareResponse>
class SingularService : public Service {
 public:
  SingularService(ScriptedDriver& driver, SessionId session) : driver_(driver), session_(session) {}

  grpc::Status NodePrepareResource(grpc::ServerContext*, const PrepareRequest* request,
                                   PrepareResponse* response) override {
    const auto answer = OnlyAnswer(driver_.Prepare(session_, ClaimOf(*request)), request->claim_uid());
    if (!answer.ok()) return ToGrpcStatus(answer.status());
    for (const dra::ClaimDevice& device : answer->devices) {
      for (const std::string& id : device.cdi_device_ids) response->add_cdi_devices(id);
    }
    return grpc::Status::OK;
  }
  grpc::Status NodeUnprepareResource(grpc::ServerContext*, const UnprepareRequest* request,
                                     UnprepareResponse*) override {
    return ToGrpcStatus(OnlyAnswer(driver_.Unprepare(session_, ClaimOf(*request)), request->claim_uid()).status());
  }

 private:
  template <typename Request>
  static ScriptedDriver::Claims ClaimOf(const Request& request) {
    return {{request.namespace_(), request.claim_name(), request.claim_uid()}};
  }

  ScriptedDriver& driver_;
  const SessionId session_;
};

using V1Alpha2Service =
    SingularService<::v1alpha2::Node::Service, ::v1alpha2::NodePrepareResourceRequest,
                    ::v1alpha2::NodePrepareResourceResponse, ::v1alpha2::NodeUnprepareResourceRequest,
                    ::v1alpha2::NodeUnprepareResourceResponse>;
using V1Alpha1Service =
    SingularService<::v1alpha1::Node::Service, ::v1alpha1::NodePrepareResourceRequest,
                    ::v1alpha1::NodePrepareResourceResponse, ::v1alpha1::NodeUnprepareResourceRequest,
                    ::v1alpha1::NodeUnprepareResourceResponse>;

class RegistrationService : public ::pluginregistration::Registration::Service {
 public:
  RegistrationService(::pluginregistration::PluginInfo info, ScriptedDriver& driver, SessionId session,
                      std::function<void()> registered)
      : info_(std::move(info)), driver_(driver), session_(session), registered_(std::move(registered)) {}

  grpc::Status GetInfo(grpc::ServerContext*, const ::pluginregistration::InfoRequest*,
                       ::pluginregistration::PluginInfo* response) override {
    *response = info_;
    return ToGrpcStatus(driver_.GetInfo(session_));
  }
  grpc::Status NotifyRegistrationStatus(grpc::ServerContext*, const ::pluginregistration::RegistrationStatus* request,
                                        ::pluginregistration::RegistrationStatusResponse*) override {
    if (request->plugin_registered()) registered_();
    return ToGrpcStatus(driver_.Notify(session_, request->plugin_registered(), request->error()));
  }

 private:
  const ::pluginregistration::PluginInfo info_;
  ScriptedDriver& driver_;
  const SessionId session_;
  const std::function<void()> registered_;
};

}  // namespace

std::unique_ptr<grpc::Service> NewDriverService(DraApi api, ScriptedDriver& driver, SessionId session,
                                                ModelFeed* models) {
  switch (api) {
    case DraApi::kV1:
      return std::make_unique<V1Service>(driver, session);
    case DraApi::kV1Beta1:
      return std::make_unique<V1Beta1Service>(driver, session);
    case DraApi::kV1Alpha4:
    case DraApi::kV1Alpha3:
      return std::make_unique<NodeService>(api, driver, session, models);
    case DraApi::kV1Alpha2:
      return std::make_unique<V1Alpha2Service>(driver, session);
    case DraApi::kV1Alpha1:
      return std::make_unique<V1Alpha1Service>(driver, session);
  }
  return nullptr;
}

std::unique_ptr<grpc::Service> NewDriverRegistration(::pluginregistration::PluginInfo info, ScriptedDriver& driver,
                                                     SessionId session, std::function<void()> registered) {
  return std::make_unique<RegistrationService>(std::move(info), driver, session, std::move(registered));
}

}  // namespace kubelet_cm::fakes
