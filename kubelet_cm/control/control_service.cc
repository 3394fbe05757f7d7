#include "kubelet_cm/control/control_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/control/explanation.h"
#include "kubelet_cm/control/pod_request.h"
#include "kubelet_cm/control/start_options_view.h"

namespace kubelet_cm {

namespace v1 = ::kubeletcm::v1;

namespace {

// How soon a watch notices that its client has gone.
constexpr absl::Duration kLookAtClient = absl::Milliseconds(500);

// The answer of a call that either has one or fails.
template <typename Response>
grpc::Status Answer(absl::StatusOr<Response> answer, Response* response) {
  if (!answer.ok()) return ToGrpcStatus(answer.status());
  *response = *std::move(answer);
  return grpc::Status::OK;
}

v1::Event EventOf(const LoggedEvent& logged) {
  v1::Event event;
  event.set_number(logged.number);
  event.set_unix_nanos(absl::ToUnixNanos(logged.time));
  event.set_kind(logged.event.kind.data(), logged.event.kind.size());
  event.set_subject(logged.event.subject);
  event.set_message(logged.event.message);
  for (const auto& [key, value] : logged.event.details) (*event.mutable_details())[key] = value;
  return event;
}

bool IsWanted(const v1::WatchRequest& request, std::string_view kind) {
  return request.kinds().empty() ||
         std::find(request.kinds().begin(), request.kinds().end(), kind) != request.kinds().end();
}

}  // namespace

// --- Pods

absl::StatusOr<v1::AdmitPodResponse> ControlService::Admit(const v1::AdmitPodRequest& request) {
  ASSIGN_OR_RETURN(const Pod pod, PodOf(request, node_name_));
  ASSIGN_OR_RETURN(const SharedPodRecord record, deps_.manager.AdmitPod(pod, PodSource::kApi));
  v1::AdmitPodResponse response;
  response.set_admitted(record->phase != PodPhase::kRefused);
  if (!response.admitted()) {
    response.set_reason(record->reason);
    response.set_message(record->message);
  }
  *response.mutable_pod() = deps_.viewer.Pod(*record);
  return response;
}

grpc::Status ControlService::AdmitPod(grpc::ServerContext*, const v1::AdmitPodRequest* request,
                                      v1::AdmitPodResponse* response) {
  return Answer(Admit(*request), response);
}

grpc::Status ControlService::PreparePod(grpc::ServerContext*, const v1::PreparePodRequest* request,
                                        v1::PreparePodResponse* response) {
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  const absl::StatusOr<std::optional<Refusal>> failed = deps_.manager.PreparePod(*name);
  if (!failed.ok()) return ToGrpcStatus(failed.status());
  response->set_prepared(!failed->has_value());
  if (failed->has_value()) {
    response->set_reason((*failed)->reason);
    response->set_message((*failed)->message);
  }
  return grpc::Status::OK;
}

grpc::Status ControlService::ContainerOptions(grpc::ServerContext*, const v1::ContainerOptionsRequest* request,
                                              v1::ContainerOptionsResponse* response) {
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  const absl::StatusOr<StartOptions> options = deps_.manager.ContainerOptions(*name, request->container());
  if (!options.ok()) return ToGrpcStatus(options.status());
  *response = ViewStartOptions(*options);
  return grpc::Status::OK;
}

grpc::Status ControlService::ContainerStarted(grpc::ServerContext*, const v1::ContainerStartedRequest* request,
                                              v1::ContainerStartedResponse*) {
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  return ToGrpcStatus(deps_.manager.ContainerStarted(*name, request->container()));
}

grpc::Status ControlService::ContainerExited(grpc::ServerContext*, const v1::ContainerExitedRequest* request,
                                             v1::ContainerExitedResponse*) {
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  return ToGrpcStatus(deps_.manager.ContainerExited(*name, request->container()));
}

grpc::Status ControlService::RemovePod(grpc::ServerContext*, const v1::RemovePodRequest* request,
                                       v1::RemovePodResponse* response) {
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  const absl::StatusOr<ContainerManager::Removal> removal = deps_.manager.RemovePod(*name, request->force());
  if (!removal.ok()) return ToGrpcStatus(removal.status());
  response->set_removed(removal->removed);
  response->set_message(removal->message);
  return grpc::Status::OK;
}

// --- What can be seen

grpc::Status ControlService::ListPods(grpc::ServerContext*, const v1::ListPodsRequest* request,
                                      v1::ListPodsResponse* response) {
  if (!request->has_pod()) {
    *response = deps_.viewer.Pods();
    return grpc::Status::OK;
  }
  const absl::StatusOr<PodName> name = PodNameOf(request->pod());
  if (!name.ok()) return ToGrpcStatus(name.status());
  const absl::StatusOr<SharedPodRecord> record = deps_.pods.Find(*name);
  if (!record.ok()) return ToGrpcStatus(record.status());
  *response->add_pods() = deps_.viewer.Pod(**record);
  return grpc::Status::OK;
}

grpc::Status ControlService::NodeResources(grpc::ServerContext*, const v1::NodeResourcesRequest* request,
                                           v1::NodeResourcesResponse* response) {
  *response = deps_.viewer.Resources(request->resource());
  return grpc::Status::OK;
}

grpc::Status ControlService::ListPlugins(grpc::ServerContext*, const v1::ListPluginsRequest*,
                                         v1::ListPluginsResponse* response) {
  *response = deps_.viewer.Plugins();
  return grpc::Status::OK;
}

grpc::Status ControlService::ListClaims(grpc::ServerContext*, const v1::ListClaimsRequest*,
                                        v1::ListClaimsResponse* response) {
  *response = deps_.viewer.Claims();
  return grpc::Status::OK;
}

absl::StatusOr<v1::ExplainResponse> ControlService::Explain(const v1::ExplainRequest& request) const {
  switch (request.subject_case()) {
    case v1::ExplainRequest::kPod: {
      ASSIGN_OR_RETURN(const PodName name, PodNameOf(request.pod()));
      ASSIGN_OR_RETURN(const SharedPodRecord record, deps_.pods.Find(name));
      return ExplainPod(deps_.viewer.Picture(), deps_.viewer.Pod(*record));
    }
    case v1::ExplainRequest::kClaim: {
      const NodePicture picture = deps_.viewer.Picture();
      const std::string& wanted =
          request.claim().namespace_().empty() ? std::string("default") : request.claim().namespace_();
      for (const v1::ListClaimsResponse::Claim& claim : picture.claims.claims()) {
        if (claim.namespace_() == wanted && claim.name() == request.claim().name()) return ExplainClaim(picture, claim);
      }
      return absl::NotFoundError(absl::StrCat("no pod of this node has claim ", wanted, "/", request.claim().name()));
    }
    case v1::ExplainRequest::kResource:
      return ExplainResource(deps_.viewer.Picture(), request.resource());
    case v1::ExplainRequest::SUBJECT_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("say what is to be explained: a pod, a claim or a resource");
}

grpc::Status ControlService::Explain(grpc::ServerContext*, const v1::ExplainRequest* request,
                                     v1::ExplainResponse* response) {
  return Answer(Explain(*request), response);
}

absl::Status ControlService::CheckSince(const v1::WatchRequest& request) const {
  if (request.from_start() || request.since() == 0) return absl::OkStatus();
  const int64_t started = request.since_started_unix_nanos();
  const uint64_t newest = deps_.events.newest();
  if (request.since() <= newest && (started == 0 || started == version_.started_unix_nanos())) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat("event ", request.since(),
                                            " is of another run of the daemon, whose newest is ", newest,
                                            ": ask from the beginning"));
}

grpc::Status ControlService::Watch(grpc::ServerContext* context, const v1::WatchRequest* request,
                                   grpc::ServerWriter<v1::Event>* writer) {
  const absl::Cleanup done = [this] { --watches_; };
  if (++watches_ > kMostWatches) {
    return ToGrpcStatus(absl::ResourceExhaustedError(absl::StrCat("there are ", kMostWatches, " watches already")));
  }
  if (const absl::Status known = CheckSince(*request); !known.ok()) return ToGrpcStatus(known);
  uint64_t seen = request->from_start() ? 0 : request->since();
  if (!request->from_start() && request->since() == 0) seen = deps_.events.newest();
  const uint64_t newest = deps_.events.newest();
  writer->SendInitialMetadata();
  uint64_t lost = 0;
  while (!context->IsCancelled() && !deps_.events.stopped() && !(request->until_now() && seen >= newest)) {
    const EventLog::Batch batch = deps_.events.Read(seen, deps_.threads.clock().MonotonicNow() + kLookAtClient);
    lost += batch.lost;
    for (const auto& logged : batch.events) {
      seen = logged->number;
      if (!IsWanted(*request, logged->event.kind)) continue;
      v1::Event event = EventOf(*logged);
      event.set_lost(std::exchange(lost, 0));
      if (!writer->Write(event)) return grpc::Status::OK;  // the client has gone
    }
  }
  return grpc::Status::OK;
}

// --- What is done to the node

absl::StatusOr<v1::ForgetClaimResponse> ControlService::Forget(const v1::ForgetClaimRequest& request) {
  if (deps_.claims == nullptr) return absl::UnimplementedError("this kubelet has no dynamic resource allocation");
  const std::string wanted = request.namespace_().empty() ? std::string("default") : request.namespace_();
  std::optional<dra::ClaimId> id;
  for (const dra::StuckClaim& stuck : deps_.claims->StuckClaims()) {
    if (stuck.claim.namespace_name == wanted && stuck.claim.name == request.name()) id = stuck.claim;
  }
  if (!id.has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "claim ", wanted, "/", request.name(), " is not stuck: only one whose unprepare fails can be forgotten"));
  }
  ASSIGN_OR_RETURN(const dra::ForgottenClaim forgotten, deps_.claims->Forget(*id, request.who()));
  deps_.log.Warning("A claim was forgotten on somebody's word",
                    {{"claim", absl::StrCat(wanted, "/", request.name())}, {"who", request.who()}});
  deps_.events.Record({.kind = event_kind::kClaimForgotten,
                       .subject = absl::StrCat(wanted, "/", request.name()),
                       .message = "its drivers were not told",
                       .details = {{"who", request.who()}, {"uid", id->uid}}});
  v1::ForgetClaimResponse response;
  response.set_uid(id->uid);
  if (forgotten.state.pod_uids.has_value()) {
    for (const std::string& uid : *forgotten.state.pod_uids) response.add_pods()->set_uid(uid);
  }
  return response;
}

grpc::Status ControlService::ForgetClaim(grpc::ServerContext*, const v1::ForgetClaimRequest* request,
                                         v1::ForgetClaimResponse* response) {
  return Answer(Forget(*request), response);
}

grpc::Status ControlService::Drain(grpc::ServerContext*, const v1::DrainRequest*, v1::DrainResponse*) {
  deps_.manager.Drain();
  deps_.log.Info("Draining: no pod is admitted any more");
  deps_.events.Record({.kind = event_kind::kDraining, .message = "no pod is admitted any more"});
  return grpc::Status::OK;
}

grpc::Status ControlService::Version(grpc::ServerContext*, const v1::VersionRequest*, v1::VersionResponse* response) {
  *response = version_;
  return grpc::Status::OK;
}

}  // namespace kubelet_cm
