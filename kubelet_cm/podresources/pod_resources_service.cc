#include "kubelet_cm/podresources/pod_resources_service.h"

#include "common/status/grpc_status.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"

namespace kubelet_cm::podresources {
namespace {

class Service : public ::v1::PodResourcesLister::Service {
 public:
  Service(PodResourcesLister& lister, CallGate& gate) : lister_(lister), gate_(gate) {}

  grpc::Status List(grpc::ServerContext*, const ::v1::ListPodResourcesRequest*,
                    ::v1::ListPodResourcesResponse* response) override {
    const absl::Status admitted = gate_.Admit();
    if (admitted.ok()) lister_.List(response);
    return ToGrpcStatus(admitted);
  }
  grpc::Status GetAllocatableResources(grpc::ServerContext*, const ::v1::AllocatableResourcesRequest*,
                                       ::v1::AllocatableResourcesResponse* response) override {
    const absl::Status admitted = gate_.Admit();
    return ToGrpcStatus(admitted.ok() ? lister_.GetAllocatable(response) : admitted);
  }
  grpc::Status Get(grpc::ServerContext*, const ::v1::GetPodResourcesRequest* request,
                   ::v1::GetPodResourcesResponse* response) override {
    const absl::Status admitted = gate_.Admit();
    return ToGrpcStatus(admitted.ok() ? lister_.Get(*request, response) : admitted);
  }

 private:
  PodResourcesLister& lister_;
  CallGate& gate_;
};

class OldService : public ::v1alpha1::PodResourcesLister::Service {
 public:
  OldService(PodResourcesLister& lister, CallGate& gate) : lister_(lister), gate_(gate) {}

  grpc::Status List(grpc::ServerContext*, const ::v1alpha1::ListPodResourcesRequest*,
                    ::v1alpha1::ListPodResourcesResponse* response) override {
    const absl::Status admitted = gate_.Admit();
    if (admitted.ok()) lister_.ListOld(response);
    return ToGrpcStatus(admitted);
  }

 private:
  PodResourcesLister& lister_;
  CallGate& gate_;
};

}  // namespace

std::unique_ptr<grpc::Service> NewPodResourcesService(PodResourcesLister& lister, CallGate& gate) {
  return std::make_unique<Service>(lister, gate);
}

std::unique_ptr<grpc::Service> NewOldPodResourcesService(PodResourcesLister& lister, CallGate& gate) {
  return std::make_unique<OldService>(lister, gate);
}

}  // namespace kubelet_cm::podresources
