#include "dra/slices/grpc_model_client.h"

#include <iterator>
#include <utility>

#include "common/status/status_macros.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "dra/plugin/driver_stream.h"

namespace kubelet_cm::dra {
namespace {

using Response = ::v1alpha3::NodeListAndWatchResourcesResponse;

class GrpcModelStream : public ModelStream {
 public:
  GrpcModelStream(::v1alpha3::Node::Stub& stub, DriverConnection& connection)
      : stream_(
            connection,
            [&stub](grpc::ClientContext* context) {
              return stub.NodeListAndWatchResources(context, ::v1alpha3::NodeListAndWatchResourcesRequest());
            },
            DriverConnection::kMaxAnswerBytes) {}

  absl::StatusOr<ResourceModels> Read() override {
    ASSIGN_OR_RETURN(Response response, stream_.Read());
    return ResourceModels(std::make_move_iterator(response.mutable_resources()->begin()),
                          std::make_move_iterator(response.mutable_resources()->end()));
  }

  void Cancel() override { stream_.Cancel(); }

 private:
  DriverStream<Response> stream_;
};

class GrpcModelClient : public ModelClient {
 public:
  explicit GrpcModelClient(std::shared_ptr<DriverConnection> connection)
      : connection_(std::move(connection)), stub_(connection_->channel()) {}

  std::unique_ptr<ModelStream> Watch() override { return std::make_unique<GrpcModelStream>(stub_, *connection_); }

 private:
  const std::shared_ptr<DriverConnection> connection_;
  ::v1alpha3::Node::Stub stub_;
};

}  // namespace

std::unique_ptr<ModelClient> NewGrpcModelClient(std::shared_ptr<DriverConnection> connection) {
  return std::make_unique<GrpcModelClient>(std::move(connection));
}

}  // namespace kubelet_cm::dra
