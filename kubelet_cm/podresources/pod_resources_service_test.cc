#include "kubelet_cm/podresources/pod_resources_service.h"

#include <memory>

#include "common/clock/fake_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/deadline.h"
#include "common/unixsocket/server.h"
#include "common/unixsocket/short_temp_dir.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "kubelet_cm/podresources/fake_pod_resources_source.h"

namespace kubelet_cm::podresources {
namespace {

class PodResourcesServiceTest : public ::testing::Test {
 protected:
  // One call of a client that goes away afterwards.
  grpc::StatusCode List() {
    const auto channel = DialUnixSocket(folder_.File("s"));
    EXPECT_OK(channel);
    grpc::ClientContext context;
    context.set_deadline(DeadlineIn(absl::Seconds(30)));
    ::v1::ListPodResourcesResponse response;
    return ::v1::PodResourcesLister::NewStub(*channel)->List(&context, {}, &response).error_code();
  }

  FakeClock clock_;
  PosixFileSystem files_;
  ShortTempDir folder_;
  CapturingLogger log_;
  MetricsRegistry registry_;
  PodResourcesMetrics metrics_{registry_};
  FakePodResourcesSource source_;
  PodResourcesLister lister_{{source_, metrics_, log_}, {}};
  CallGate gate_{clock_, {.at_once = 1}};
  const std::unique_ptr<grpc::Service> service_ = NewPodResourcesService(lister_, gate_);
  std::unique_ptr<UnixSocketServer> server_ =
      *UnixSocketServer::New(files_, {service_.get()}, {.path = folder_.File("s")});
};

TEST_F(PodResourcesServiceTest, ACallThatWasAnsweredMakesRoomForAnother) {
  EXPECT_EQ(List(), grpc::StatusCode::OK);
  server_->Shutdown(absl::ZeroDuration());  // every call is over now
  EXPECT_OK(gate_.Begin());
}

TEST_F(PodResourcesServiceTest, ACallThatFindsNoRoomIsRefusedAndTakesNone) {
  ASSERT_OK(gate_.Begin());
  EXPECT_EQ(List(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_EQ(source_.collections, 0);
  server_->Shutdown(absl::ZeroDuration());
  gate_.End();
  EXPECT_OK(gate_.Begin());
  EXPECT_THAT(gate_.Begin(), StatusIs(absl::StatusCode::kResourceExhausted));
}

}  // namespace
}  // namespace kubelet_cm::podresources
