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

using ::testing::IsEmpty;
using ::testing::SizeIs;

// Sends one message, and then ends, or hangs until it is cancelled.
class OneMessage : public ::v1alpha3::Node::Service {
 public:
  grpc::Status NodeListAndWatchResources(
      grpc::ServerContext* context, const ::v1alpha3::NodeListAndWatchResourcesRequest*,
      grpc::ServerWriter<::v1alpha3::NodeListAndWatchResourcesResponse>* writer) override {
    writer->Write(message);
    while (hangs && !context->IsCancelled() && writer->Write(message)) {
    }
    return grpc::Status::OK;
  }

  ::v1alpha3::NodeListAndWatchResourcesResponse message;
  bool hangs = false;
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

TEST_F(GrpcModelClientTest, TheEndOfAStreamIsTheSameEveryTime) {
  const auto stream = client_->Watch();
  EXPECT_THAT(stream->Read(), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kOutOfRange, "EOF"));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kOutOfRange, "EOF"));
}

TEST_F(GrpcModelClientTest, AStreamMayBeCancelledBeforeItIsOpenAndWhileItIs) {
  service_.hangs = true;
  const auto early = client_->Watch();
  early->Cancel();
  EXPECT_THAT(early->Read(), StatusIs(absl::StatusCode::kCancelled));
  const auto late = client_->Watch();
  EXPECT_OK(late->Read().status());
  late->Cancel();
  absl::StatusOr<ResourceModels> models = late->Read();
  while (models.ok()) models = late->Read();
  EXPECT_THAT(models, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcModelClientTest, AStreamThatGoesOnForEverIsDestroyed) {
  service_.hangs = true;
  auto stream = client_->Watch();
  EXPECT_OK(stream->Read().status());
  stream.reset();
  client_->Watch().reset();
}

TEST_F(GrpcModelClientTest, NothingIsOpenedOnAConnectionThatIsCut) {
  const auto before = client_->Watch();
  connection_->Disconnect();
  EXPECT_THAT(before->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(client_->Watch()->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcModelClientTest, AMessageThatAKubeletDoesNotTakeEndsTheStreamThoughTheChannelTakesIt) {
  service_.hangs = true;
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
