#include "dra/plugin/driver_connection.h"

#include <memory>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/api/v1.grpc.pb.h"
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

}  // namespace
}  // namespace kubelet_cm::dra
