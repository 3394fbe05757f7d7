#include "dra/plugin/driver_connection.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "dra/api/v1.grpc.pb.h"
#include "dra/plugin/dra_client.h"
#include "dra/plugin/served_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

class DriverConnectionTest : public ::testing::Test {
 protected:
  RealClock clock_;
  RealThreads threads_{clock_};
  k8s::io::kubelet::pkg::apis::dra::v1::DRAPlugin::Service driver_;
  ServedService served_{{&driver_}};
};

TEST_F(DriverConnectionTest, ConnectsWithoutACallAndTellsWhenItEnds) {
  const std::shared_ptr<DriverConnection> connection = served_.Connect();
  EXPECT_THAT(connection->WaitForConnectionChange(false), IsOkAndHolds(true));
  served_.Stop();
  EXPECT_THAT(connection->WaitForConnectionChange(true), IsOkAndHolds(false));
  served_.Serve();
  EXPECT_THAT(connection->WaitForConnectionChange(false), IsOkAndHolds(true));
}

TEST_F(DriverConnectionTest, DisconnectEndsTheWait) {
  const std::shared_ptr<DriverConnection> connection = served_.Connect();
  ASSERT_OK(connection->WaitForConnectionChange(false));
  const std::unique_ptr<Thread> waiting = threads_.Start("waiting", [&] {
    EXPECT_THAT(connection->WaitForConnectionChange(true), StatusIs(absl::StatusCode::kCancelled));
  });
  connection->Disconnect();
}

TEST_F(DriverConnectionTest, DisconnectedOneBeginsNoCalls) {
  const std::shared_ptr<DriverConnection> connection = served_.Connect();
  connection->Disconnect();
  EXPECT_THAT(connection->calls().Begin(absl::Seconds(1)).status(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(connection->WaitForConnectionChange(false), StatusIs(absl::StatusCode::kCancelled));
}

absl::StatusOr<k8s::io::kubelet::pkg::apis::dra::v1::NodePrepareResourcesResponse> Call(DriverConnection& connection) {
  using Driver = k8s::io::kubelet::pkg::apis::dra::v1::DRAPlugin;
  using Response = k8s::io::kubelet::pkg::apis::dra::v1::NodePrepareResourcesResponse;
  const auto stub = Driver::NewStub(connection.channel());
  return connection.Unary<Response>({Driver::service_full_name(), "NodePrepareResources"}, absl::Minutes(5),
                                    [&](grpc::ClientContext* context, Response* response) {
                                      return stub->NodePrepareResources(context, {}, response);
                                    });
}

TEST_F(DriverConnectionTest, ACallWaitsForTheFirstConnectionNoLongerThanItsLimit) {
  const ShortTempDir folder;
  const SilentSocket silent(folder.File("d.sock"));
  DriverConnection connection(*UnixSocketChannel(folder.File("d.sock"), {}), {}, absl::Milliseconds(20));
  const absl::Status late = Call(connection).status();
  EXPECT_THAT(late, StatusIs(absl::StatusCode::kDeadlineExceeded, "timed out waiting for gRPC connection to be ready"));
  EXPECT_TRUE(WasNotSent(late));
}

TEST_F(DriverConnectionTest, AConnectionThatIsMadeInTimeIsUsed) {
  DriverConnection connection(served_.Connect()->channel(), {}, absl::Minutes(5));
  EXPECT_THAT(Call(connection), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(DriverConnectionTest, ADriverThatIsNotThereIsNotWaitedFor) {
  served_.Stop();
  DriverConnection connection(served_.Connect()->channel(), {}, absl::Minutes(5));
  EXPECT_THAT(Call(connection), StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kubelet_cm::dra
