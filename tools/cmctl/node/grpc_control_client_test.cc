#include "tools/cmctl/node/grpc_control_client.h"

#include <memory>
#include <string>

#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

// Says who it is, three events, and no to the rest.
class SmallDaemon : public v1::Control::Service {
 public:
  grpc::Status Version(grpc::ServerContext*, const v1::VersionRequest*, v1::VersionResponse* response) override {
    response->set_version("1");
    return grpc::Status::OK;
  }
  grpc::Status Watch(grpc::ServerContext* context, const v1::WatchRequest* request,
                     grpc::ServerWriter<v1::Event>* writer) override {
    writer->SendInitialMetadata();
    v1::Event event;
    for (int number = 1; number <= 3; ++number) {
      event.set_number(number);
      writer->Write(event);
    }
    while (!request->until_now() && !context->IsCancelled() && writer->Write(event)) {
    }
    return grpc::Status::OK;
  }
  grpc::Status RemovePod(grpc::ServerContext*, const v1::RemovePodRequest*, v1::RemovePodResponse*) override {
    return {grpc::StatusCode::NOT_FOUND, "no such pod"};
  }
};

class GrpcControlClientTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK_AND_ASSIGN(server_, UnixSocketServer::New(files_, {&daemon_}, {.path = path_}));
    ASSERT_OK_AND_ASSIGN(client_, GrpcControlClient::New(path_));
  }

  PosixFileSystem files_;
  ShortTempDir folder_;
  const std::string path_ = folder_.File("d/kubelet_cm.sock");
  SmallDaemon daemon_;
  std::unique_ptr<UnixSocketServer> server_;
  std::unique_ptr<ControlClient> client_;
};

TEST_F(GrpcControlClientTest, AnswersAndErrorsAreTheDaemons) {
  ASSERT_OK_AND_ASSIGN(const v1::VersionResponse version, client_->Version());
  EXPECT_EQ(version.version(), "1");
  EXPECT_THAT(client_->RemovePod({}), StatusIs(absl::StatusCode::kNotFound, "no such pod"));
  EXPECT_THAT(client_->Drain(), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(GrpcControlClientTest, AWatchIsReadToItsEnd) {
  v1::WatchRequest request;
  request.set_until_now(true);
  const std::unique_ptr<EventStream> events = client_->Watch(request);
  for (uint64_t number = 1; number <= 3; ++number) {
    ASSERT_OK_AND_ASSIGN(const v1::Event event, events->Next());
    EXPECT_EQ(event.number(), number);
  }
  EXPECT_THAT(events->Next(), StatusIs(absl::StatusCode::kOutOfRange));
  EXPECT_THAT(events->Next(), StatusIs(absl::StatusCode::kOutOfRange));
}

TEST_F(GrpcControlClientTest, AWatchThatIsLetGoEnds) {
  std::unique_ptr<EventStream> events = client_->Watch({});
  ASSERT_OK(events->Next());
  events.reset();
  // Would wait for the handler for ever.
  server_->Shutdown(absl::InfiniteDuration());
}

TEST_F(GrpcControlClientTest, AWatchEndsWithItsLimit) {
  const std::unique_ptr<EventStream> events = client_->Watch({}, absl::Milliseconds(200));
  absl::StatusOr<v1::Event> event = events->Next();
  while (event.ok()) event = events->Next();
  EXPECT_THAT(event.status(), StatusIs(absl::StatusCode::kDeadlineExceeded));
}

TEST_F(GrpcControlClientTest, ADaemonThatIsGoneIsUnavailable) {
  server_->Shutdown(absl::ZeroDuration());
  EXPECT_THAT(client_->Version(), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
