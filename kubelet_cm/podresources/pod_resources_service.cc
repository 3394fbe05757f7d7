#include "kubelet_cm/podresources/pod_resources_service.h"

#include <google/protobuf/arena.h>

#include "common/status/grpc_status.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"

namespace kubelet_cm::podresources {
namespace {

class Service : public ::v1::PodResourcesLister::WithStreamedUnaryMethod_List<::v1::PodResourcesLister::Service> {
 public:
  Service(PodResourcesLister& lister, CallGate& gate) : lister_(lister), gate_(gate) {}

  // In this form the message is ours, not gRPC's, and so can lie in an arena. A list of 8,000 devices is some 40,000
  // small pieces: without an arena, allocating and freeing them is two thirds of the work.
  grpc::Status StreamedList(
      grpc::ServerContext*,
      grpc::ServerUnaryStreamer<::v1::ListPodResourcesRequest, ::v1::ListPodResourcesResponse>* call) override {
    ::v1::ListPodResourcesRequest request;
    if (!call->Read(&request)) return {grpc::StatusCode::INTERNAL, "the request cannot be decoded"};
    const absl::Status admitted = gate_.Admit();
    if (!admitted.ok()) return ToGrpcStatus(admitted);
    google::protobuf::Arena arena;
    auto* const response = google::protobuf::Arena::CreateMessage<::v1::ListPodResourcesResponse>(&arena);
    lister_.List(response);
    call->Write(*response);
    return grpc::Status::OK;
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
