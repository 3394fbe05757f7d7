#include "dra/slices/grpc_model_client.h"

#include <iterator>
#include <utility>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/unixsocket/calls_in_flight.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "grpcpp/support/sync_stream.h"

namespace kubelet_cm::dra {
namespace {

using Response = ::v1alpha3::NodeListAndWatchResourcesResponse;

class GrpcModelStream : public ModelStream {
 public:
  GrpcModelStream(::v1alpha3::Node::Stub& stub, absl::StatusOr<CallsInFlight::Context> context)
      : stub_(stub), ended_(context.status()) {
    if (context.ok()) context_ = *std::move(context);
  }

  // gRPC wants a stream read to its end, which is near once it is cancelled.
  ~GrpcModelStream() override {
    GrpcModelStream::Cancel();
    while (reader_ != nullptr && GrpcModelStream::Read().ok()) {
    }
  }

  absl::StatusOr<ResourceModels> Read() override {
    if (!ended_.ok()) return ended_;
    if (reader_ == nullptr) {
      reader_ = stub_.NodeListAndWatchResources(context_.get(), ::v1alpha3::NodeListAndWatchResourcesRequest());
    }
    Response response;
    if (!reader_->Read(&response)) return End(FromGrpcStatus(reader_->Finish()));
    if (response.ByteSizeLong() > DriverConnection::kMaxAnswerBytes) {
      const absl::Status too_large = DriverConnection::TooLarge(response.ByteSizeLong());
      Drain();
      return End(too_large);
    }
    return ResourceModels(std::make_move_iterator(response.mutable_resources()->begin()),
                          std::make_move_iterator(response.mutable_resources()->end()));
  }

  void Cancel() override {
    if (context_ != nullptr) context_->TryCancel();
  }

 private:
  absl::Status End(absl::Status how) {
    ended_ = how.ok() ? absl::OutOfRangeError("EOF") : std::move(how);
    return ended_;
  }
  void Drain() {
    context_->TryCancel();
    Response response;
    while (reader_->Read(&response)) {
    }
    static_cast<void>(reader_->Finish());  // why it ends is known
  }

  ::v1alpha3::Node::Stub& stub_;
  CallsInFlight::Context context_;  // null when it could not be opened
  // The reading thread's.
  std::unique_ptr<grpc::ClientReader<Response>> reader_;  // null before the first Read
  absl::Status ended_;                                    // OK while it has not
};

class GrpcModelClient : public ModelClient {
 public:
  explicit GrpcModelClient(std::shared_ptr<DriverConnection> connection)
      : connection_(std::move(connection)), stub_(connection_->channel()) {}

  std::unique_ptr<ModelStream> Watch() override {
    return std::make_unique<GrpcModelStream>(stub_, connection_->calls().Begin(absl::InfiniteDuration()));
  }

 private:
  const std::shared_ptr<DriverConnection> connection_;
  ::v1alpha3::Node::Stub stub_;
};

}  // namespace

std::unique_ptr<ModelClient> NewGrpcModelClient(std::shared_ptr<DriverConnection> connection) {
  return std::make_unique<GrpcModelClient>(std::move(connection));
}

}  // namespace kubelet_cm::dra
