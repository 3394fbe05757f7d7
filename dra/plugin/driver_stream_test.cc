#include "dra/plugin/driver_stream.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/api/health_v1.grpc.pb.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::StartsWith;
using Message = ::v1::NodeWatchResourcesResponse;

// Sends one message, and then ends, or sends it for ever until it is cancelled.
class OneMessage : public ::v1::DRAResourceHealth::Service {
 public:
  grpc::Status NodeWatchResources(grpc::ServerContext* context, const ::v1::NodeWatchResourcesRequest*,
                                  grpc::ServerWriter<Message>* writer) override {
    writer->Write(message);
    while (hangs && !context->IsCancelled() && writer->Write(message)) {
    }
    return end;
  }

  Message message;
  bool hangs = false;
  grpc::Status end = grpc::Status::OK;
};

class DriverStreamTest : public ::testing::Test {
 protected:
  DriverStreamTest() { service_.message.add_devices()->set_message("hot"); }

  std::unique_ptr<DriverStream<Message>> Watch(size_t max_bytes = DriverConnection::kMaxAnswerBytes) {
    return std::make_unique<DriverStream<Message>>(
        *connection_,
        [this](grpc::ClientContext* context) {
          return stub_.NodeWatchResources(context, ::v1::NodeWatchResourcesRequest());
        },
        max_bytes);
  }

  OneMessage service_;
  ServedService served_{{&service_}};
  const std::shared_ptr<DriverConnection> connection_ = served_.Connect(nullptr, 16 << 20);
  ::v1::DRAResourceHealth::Stub stub_{connection_->channel()};
};

TEST_F(DriverStreamTest, TheEndOfAStreamIsTheSameEveryTime) {
  const auto stream = Watch();
  ASSERT_OK_AND_ASSIGN(const Message message, stream->Read());
  EXPECT_EQ(message.devices(0).message(), "hot");
  for (int i = 0; i < 2; ++i) EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kOutOfRange, "EOF"));
}

TEST_F(DriverStreamTest, AnEndThatIsAnErrorIsTheDrivers) {
  service_.end = grpc::Status(grpc::StatusCode::ABORTED, "burnt");
  const auto stream = Watch();
  EXPECT_OK(stream->Read().status());
  for (int i = 0; i < 2; ++i) EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kAborted, "burnt"));
}

TEST_F(DriverStreamTest, AStreamMayBeCancelledBeforeItIsOpenAndWhileItIs) {
  service_.hangs = true;
  const auto early = Watch();
  early->Cancel();
  EXPECT_THAT(early->Read(), StatusIs(absl::StatusCode::kCancelled));
  const auto late = Watch();
  EXPECT_OK(late->Read().status());
  late->Cancel();
  absl::StatusOr<Message> message = late->Read();
  while (message.ok()) message = late->Read();
  EXPECT_THAT(message, StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(DriverStreamTest, AStreamThatGoesOnForEverIsDestroyed) {
  service_.hangs = true;
  auto stream = Watch();
  EXPECT_OK(stream->Read().status());
  stream.reset();
  Watch().reset();
}

TEST_F(DriverStreamTest, NothingIsOpenedOnAConnectionThatIsCut) {
  const auto before = Watch();
  connection_->Disconnect();
  EXPECT_THAT(before->Read(), StatusIs(absl::StatusCode::kCancelled));
  const auto after = Watch();
  after->Cancel();
  EXPECT_THAT(after->Read(), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(DriverStreamTest, AMessageThatIsNotTakenEndsTheStreamThoughTheChannelTakesIt) {
  service_.hangs = true;
  service_.message.mutable_devices(0)->set_message(std::string(5 << 20, 'x'));
  const auto stream = Watch();
  for (int i = 0; i < 2; ++i) {
    EXPECT_THAT(stream->Read(),
                StatusIs(absl::StatusCode::kResourceExhausted, StartsWith("grpc: received message larger than max (")));
  }
  EXPECT_OK(Watch(8 << 20)->Read().status());
}

}  // namespace
}  // namespace kubelet_cm::dra
