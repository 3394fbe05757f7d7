// ControlService: the control API over the container manager and what can be seen of the node.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVICE_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVICE_H_

#include <atomic>
#include <string>

#include "absl/status/status.h"
#include "common/log/logger.h"
#include "common/threads/threads.h"
#include "dra/dra_manager.h"
#include "grpcpp/grpcpp.h"
#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/api/control.grpc.pb.h"
#include "kubelet_cm/control/node_viewer.h"
#include "kubelet_cm/events/event_log.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

// Runs on gRPC's threads. A watch has one for as long as it lasts: there are at most kMostWatches.
class ControlService final : public ::kubeletcm::v1::Control::Service {
 public:
  static constexpr int kMostWatches = 32;

  // All of it outlives the service.
  struct Dependencies {
    ContainerManager& manager;
    const PodTable& pods;
    const NodeViewer& viewer;
    dra::DraManager* claims = nullptr;  // null: there is no DRA
    EventLog& events;
    Threads& threads;
    Logger& log;
  };

  // `version` is the answer to Version; `node_name` goes into the uids of pods that have none.
  ControlService(const Dependencies& dependencies, ::kubeletcm::v1::VersionResponse version, std::string node_name)
      : deps_(dependencies), version_(std::move(version)), node_name_(std::move(node_name)) {}

  grpc::Status AdmitPod(grpc::ServerContext* context, const ::kubeletcm::v1::AdmitPodRequest* request,
                        ::kubeletcm::v1::AdmitPodResponse* response) override;
  grpc::Status PreparePod(grpc::ServerContext* context, const ::kubeletcm::v1::PreparePodRequest* request,
                          ::kubeletcm::v1::PreparePodResponse* response) override;
  grpc::Status ContainerOptions(grpc::ServerContext* context, const ::kubeletcm::v1::ContainerOptionsRequest* request,
                                ::kubeletcm::v1::ContainerOptionsResponse* response) override;
  grpc::Status ContainerStarted(grpc::ServerContext* context, const ::kubeletcm::v1::ContainerStartedRequest* request,
                                ::kubeletcm::v1::ContainerStartedResponse* response) override;
  grpc::Status ContainerExited(grpc::ServerContext* context, const ::kubeletcm::v1::ContainerExitedRequest* request,
                               ::kubeletcm::v1::ContainerExitedResponse* response) override;
  grpc::Status RemovePod(grpc::ServerContext* context, const ::kubeletcm::v1::RemovePodRequest* request,
                         ::kubeletcm::v1::RemovePodResponse* response) override;
  grpc::Status ListPods(grpc::ServerContext* context, const ::kubeletcm::v1::ListPodsRequest* request,
                        ::kubeletcm::v1::ListPodsResponse* response) override;
  grpc::Status NodeResources(grpc::ServerContext* context, const ::kubeletcm::v1::NodeResourcesRequest* request,
                             ::kubeletcm::v1::NodeResourcesResponse* response) override;
  grpc::Status ListPlugins(grpc::ServerContext* context, const ::kubeletcm::v1::ListPluginsRequest* request,
                           ::kubeletcm::v1::ListPluginsResponse* response) override;
  grpc::Status ListClaims(grpc::ServerContext* context, const ::kubeletcm::v1::ListClaimsRequest* request,
                          ::kubeletcm::v1::ListClaimsResponse* response) override;
  grpc::Status Explain(grpc::ServerContext* context, const ::kubeletcm::v1::ExplainRequest* request,
                       ::kubeletcm::v1::ExplainResponse* response) override;
  grpc::Status Watch(grpc::ServerContext* context, const ::kubeletcm::v1::WatchRequest* request,
                     grpc::ServerWriter<::kubeletcm::v1::Event>* writer) override;
  grpc::Status ForgetClaim(grpc::ServerContext* context, const ::kubeletcm::v1::ForgetClaimRequest* request,
                           ::kubeletcm::v1::ForgetClaimResponse* response) override;
  grpc::Status Drain(grpc::ServerContext* context, const ::kubeletcm::v1::DrainRequest* request,
                     ::kubeletcm::v1::DrainResponse* response) override;
  grpc::Status Version(grpc::ServerContext* context, const ::kubeletcm::v1::VersionRequest* request,
                       ::kubeletcm::v1::VersionResponse* response) override;

 private:
  // Whether this daemon has numbered an event as the request says.
  absl::Status CheckSince(const ::kubeletcm::v1::WatchRequest& request) const;
  absl::StatusOr<::kubeletcm::v1::AdmitPodResponse> Admit(const ::kubeletcm::v1::AdmitPodRequest& request);
  absl::StatusOr<::kubeletcm::v1::ExplainResponse> Explain(const ::kubeletcm::v1::ExplainRequest& request) const;
  absl::StatusOr<::kubeletcm::v1::ForgetClaimResponse> Forget(const ::kubeletcm::v1::ForgetClaimRequest& request);

  const Dependencies deps_;
  const ::kubeletcm::v1::VersionResponse version_;
  const std::string node_name_;
  std::atomic<int> watches_ = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_CONTROL_SERVICE_H_
