#include "dra/plugin/connect_driver.h"

#include <string>

#include "absl/status/status.h"
#include "common/clock/real_clock.h"
#include "common/metrics/metric_value.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

// That each API has its client is in testing/fakes/dra_driver_contract_test.cc.
namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

TEST(ConnectDriverTest, DriverThatIsNotThereIsUnavailableAtOnce) {
  ASSERT_OK_AND_ASSIGN(const auto client, ConnectDriver({.driver_name = "d", .endpoint = "/nonexistent/d.sock"}));
  EXPECT_THAT(client->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(ConnectDriverTest, PathThatNoSocketCanHaveIsRefusedInUpstreamsWords) {
  EXPECT_THAT(ConnectDriver({.driver_name = "d", .endpoint = "relative"}).status().message(),
              HasSubstr("create gRPC connection to DRA driver d plugin at endpoint relative: "));
}

TEST(ConnectDriverTest, CallsAreMeasuredUnderTheNameOfTheDriverWhetherTheyFailOrNot) {
  RealClock clock;
  MetricsRegistry registry;
  const DriverCallMetrics metrics(registry, clock);
  const ConnectToDriver connect = ConnectOverSockets(&metrics);
  ASSERT_OK_AND_ASSIGN(const ConnectedDriver driver,
                       connect({.driver_name = "d", .endpoint = "/nonexistent/d.sock", .api = DraApi::kV1Beta1}));
  EXPECT_NE(driver.connection, nullptr);
  EXPECT_FALSE(driver.client->Prepare({}, kDraCallTimeout).ok());
  EXPECT_FALSE(driver.client->Unprepare({}, kDraCallTimeout).ok());
  for (const std::string method : {"NodePrepareResources", "NodeUnprepareResources"}) {
    EXPECT_EQ(MetricValue(registry, "dra_grpc_operations_duration_seconds",
                          {{"driver_name", "d"},
                           {"method_name", "/k8s.io.kubelet.pkg.apis.dra.v1beta1.DRAPlugin/" + method},
                           {"grpc_status_code", "Unavailable"}}),
              1)
        << method;
  }
}

TEST(ConnectDriverTest, RefusalsOfTheSocketAreThoseOfConnectDriver) {
  EXPECT_THAT(ConnectOverSockets(nullptr)({.driver_name = "d", .endpoint = "relative"}).status().message(),
              HasSubstr("create gRPC connection to DRA driver d plugin at endpoint relative: "));
}

}  // namespace
}  // namespace kubelet_cm::dra
