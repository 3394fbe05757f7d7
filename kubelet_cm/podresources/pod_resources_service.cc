#include "kubelet_cm/podresources/pod_resources_service.h"

#include "absl/functional/function_ref.h"
#include "common/status/grpc_status.h"
#include "google/protobuf/arena.h"
#include "grpcpp/support/message_allocator.h"
#include "grpcpp/support/server_callback.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.grpc.pb.h"

namespace kubelet_cm::podresources {
namespace {

// Messages of one call, which go together when its answer has been sent.
template <typename Request, typename Response>
class ArenaMessages : public grpc::MessageAllocator<Request, Response> {
 public:
  grpc::MessageHolder<Request, Response>* AllocateMessages() override { return new Holder(); }

 private:
  class Holder : public grpc::MessageHolder<Request, Response> {
   public:
    Holder() {
      this->set_request(google::protobuf::Arena::CreateMessage<Request>(&arena_));
      this->set_response(google::protobuf::Arena::CreateMessage<Response>(&arena_));
    }
    void Release() override { delete this; }

   private:
    google::protobuf::Arena arena_;
  };
};

// Answers at once, and knows when the answer has been fetched or has become pointless.
class Answer : public grpc::ServerUnaryReactor {
 public:
  // A call that the gate refuses is answered so; any other by `handle`.
  Answer(CallGate& gate, absl::FunctionRef<absl::Status()> handle) : gate_(gate) {
    absl::Status status = gate_.Begin();
    admitted_ = status.ok();
    if (admitted_) status = handle();
    Finish(ToGrpcStatus(status));
  }

  void OnDone() override {
    if (admitted_) gate_.End();
    delete this;
  }

 private:
  CallGate& gate_;
  bool admitted_ = false;
};

class Service : public ::v1::PodResourcesLister::CallbackService {
 public:
  // Not hidden by those below: the forms without callbacks, which nobody calls.
  using CallbackService = ::v1::PodResourcesLister::CallbackService;
  using CallbackService::Get;
  using CallbackService::GetAllocatableResources;
  using CallbackService::List;

  Service(PodResourcesLister& lister, CallGate& gate) : lister_(lister), gate_(gate) {
    SetMessageAllocatorFor_List(&lists_);
    SetMessageAllocatorFor_GetAllocatableResources(&allocatables_);
    SetMessageAllocatorFor_Get(&gets_);
  }

  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext*, const ::v1::ListPodResourcesRequest*,
                                 ::v1::ListPodResourcesResponse* response) override {
    return new Answer(gate_, [&] {
      lister_.List(response);
      return absl::OkStatus();
    });
  }
  grpc::ServerUnaryReactor* GetAllocatableResources(grpc::CallbackServerContext*,
                                                    const ::v1::AllocatableResourcesRequest*,
                                                    ::v1::AllocatableResourcesResponse* response) override {
    return new Answer(gate_, [&] { return lister_.GetAllocatable(response); });
  }
  grpc::ServerUnaryReactor* Get(grpc::CallbackServerContext*, const ::v1::GetPodResourcesRequest* request,
                                ::v1::GetPodResourcesResponse* response) override {
    return new Answer(gate_, [&] { return lister_.Get(*request, response); });
  }

 private:
  PodResourcesLister& lister_;
  CallGate& gate_;
  ArenaMessages<::v1::ListPodResourcesRequest, ::v1::ListPodResourcesResponse> lists_;
  ArenaMessages<::v1::AllocatableResourcesRequest, ::v1::AllocatableResourcesResponse> allocatables_;
  ArenaMessages<::v1::GetPodResourcesRequest, ::v1::GetPodResourcesResponse> gets_;
};

class OldService : public ::v1alpha1::PodResourcesLister::CallbackService {
 public:
  using CallbackService = ::v1alpha1::PodResourcesLister::CallbackService;
  using CallbackService::List;

  OldService(PodResourcesLister& lister, CallGate& gate) : lister_(lister), gate_(gate) {
    SetMessageAllocatorFor_List(&lists_);
  }

  grpc::ServerUnaryReactor* List(grpc::CallbackServerContext*, const ::v1alpha1::ListPodResourcesRequest*,
                                 ::v1alpha1::ListPodResourcesResponse* response) override {
    return new Answer(gate_, [&] {
      lister_.ListOld(response);
      return absl::OkStatus();
    });
  }

 private:
  PodResourcesLister& lister_;
  CallGate& gate_;
  ArenaMessages<::v1alpha1::ListPodResourcesRequest, ::v1alpha1::ListPodResourcesResponse> lists_;
};

}  // namespace

std::unique_ptr<grpc::Service> NewPodResourcesService(PodResourcesLister& lister, CallGate& gate) {
  return std::make_unique<Service>(lister, gate);
}

std::unique_ptr<grpc::Service> NewOldPodResourcesService(PodResourcesLister& lister, CallGate& gate) {
  return std::make_unique<OldService>(lister, gate);
}

}  // namespace kubelet_cm::podresources
