#include "dra/slices/grpc_model_client.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/api/v1alpha3.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "dra/slices/model_key.h"
#include "dra/slices/slice_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::SizeIs;

// Sends one message, and then ends; what becomes of streams is in dra/plugin/driver_stream_test.cc.
class OneMessage : public ::v1alpha3::Node::Service {
 public:
  grpc::Status NodeListAndWatchResources(
      grpc::ServerContext*, const ::v1alpha3::NodeListAndWatchResourcesRequest*,
      grpc::ServerWriter<::v1alpha3::NodeListAndWatchResourcesResponse>* writer) override {
    writer->Write(message);
    return grpc::Status::OK;
  }

  ::v1alpha3::NodeListAndWatchResourcesResponse message;
};

class GrpcModelClientTest : public ::testing::Test {
 protected:
  OneMessage service_;
  ServedService served_{{&service_}};
  const std::shared_ptr<DriverConnection> connection_ = served_.Connect(nullptr, 16 << 20);
  const std::unique_ptr<ModelClient> client_ = NewGrpcModelClient(connection_);
};

TEST_F(GrpcModelClientTest, ModelsAreHandedOnInOrder) {
  *service_.message.add_resources() = ModelOf("a");
  *service_.message.add_resources() = ModelOf("b");
  ASSERT_OK_AND_ASSIGN(const ResourceModels models, client_->Watch()->Read());
  ASSERT_THAT(models, SizeIs(2));
  EXPECT_EQ(ModelKey(models[0]), ModelKey(ModelOf("a")));
  EXPECT_EQ(ModelKey(models[1]), ModelKey(ModelOf("b")));
}

TEST_F(GrpcModelClientTest, AStreamIsCancelled) {
  const auto stream = client_->Watch();
  stream->Cancel();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcModelClientTest, AMessageThatAKubeletDoesNotTakeEndsTheStreamThoughTheChannelTakesIt) {
  *service_.message.add_resources() = ModelOf(std::string(5 << 20, 'x'));
  const auto stream = client_->Watch();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kResourceExhausted,
                                         testing::StartsWith("grpc: received message larger than max (")));
  }
}

TEST(GrpcModelClientWithoutTheMethodTest, ADriverOf129SaysSo) {
  ::v1alpha3::Node::Service service;
  ServedService served({&service});
  EXPECT_THAT(NewGrpcModelClient(served.Connect())->Watch()->Read(), StatusIs(absl::StatusCode::kUnimplemented));
}

}  // namespace
}  // namespace kubelet_cm::dra
