#include "dra/health/grpc_health_client.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// How a fake driver's health looks to the client, for both APIs, is in testing/fakes/dra_health_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;

// Sends one message, and then ends; what becomes of streams is in dra/plugin/driver_stream_test.cc.
class OneMessage : public ::v1::DRAResourceHealth::Service {
 public:
  grpc::Status NodeWatchResources(grpc::ServerContext*, const ::v1::NodeWatchResourcesRequest*,
                                  grpc::ServerWriter<::v1::NodeWatchResourcesResponse>* writer) override {
    writer->Write(message);
    return grpc::Status::OK;
  }

  ::v1::NodeWatchResourcesResponse message;
};

class GrpcHealthClientTest : public ::testing::Test {
 protected:
  OneMessage service_;
  ServedService served_{{&service_}};
  const std::shared_ptr<DriverConnection> connection_ = served_.Connect();
  const std::unique_ptr<HealthClient> client_ = NewGrpcHealthClient(DraHealthApi::kV1, connection_);
};

TEST_F(GrpcHealthClientTest, EveryFieldIsHandedOn) {
  ::v1::DeviceHealth& device = *service_.message.add_devices();
  device.mutable_device()->set_pool_name("pool");
  device.mutable_device()->set_device_name("a");
  device.set_health(::v1::UNHEALTHY);
  device.set_last_updated_time(1);
  device.set_health_check_timeout_seconds(-7);
  device.set_message("hot");
  service_.message.add_devices();
  const auto stream = client_->Watch();
  EXPECT_THAT(stream->Read(), IsOkAndHolds(ElementsAre(HealthReport{.pool = "pool",
                                                                    .device = "a",
                                                                    .health = HealthValue::kUnhealthy,
                                                                    .timeout_seconds = -7,
                                                                    .message = "hot"},
                                                       HealthReport())));
}

TEST_F(GrpcHealthClientTest, HealthThatIsNoneOfThoseThereAreIsUnknown) {
  service_.message.add_devices()->set_health(static_cast<::v1::HealthStatus>(7));
  EXPECT_THAT(client_->Watch()->Read(), IsOkAndHolds(ElementsAre(HealthReport())));
}

TEST_F(GrpcHealthClientTest, AStreamIsCancelled) {
  const auto stream = client_->Watch();
  stream->Cancel();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(GrpcHealthClientTest, ADriverWithoutTheServiceSaysSo) {
  const auto client = NewGrpcHealthClient(DraHealthApi::kV1Alpha1, connection_);
  EXPECT_THAT(client->Watch()->Read(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(GrpcHealthClientTest, AMessageThatIsTooLongEndsTheStream) {
  service_.message.add_devices()->set_message(std::string(5 << 20, 'x'));  // the channel of the test takes 4 MiB
  EXPECT_THAT(client_->Watch()->Read(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm::dra
