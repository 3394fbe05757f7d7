#include "dra/plugin/driver_call_metrics.h"

#include <map>
#include <string>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/metrics/metric_value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::HasSubstr;

constexpr char kName[] = "dra_grpc_operations_duration_seconds";

TEST(DriverCallMetricsTest, CallsAreToldApartByDriverMethodAndCode) {
  FakeClock clock;
  MetricsRegistry registry;
  const DriverCallMetrics metrics(registry, clock);
  const MonotonicTime begun = metrics.Now();
  clock.Advance(absl::Milliseconds(1500));
  metrics.Record("gpu", "/a.B/C", absl::StatusCode::kOk, begun);
  clock.Advance(absl::Seconds(1));
  metrics.Record("gpu", "/a.B/C", absl::StatusCode::kOk, begun);
  metrics.Record("gpu", "/a.B/C", absl::StatusCode::kDeadlineExceeded, begun);
  const std::map<std::string, std::string> ok = {
      {"driver_name", "gpu"}, {"method_name", "/a.B/C"}, {"grpc_status_code", "OK"}};
  EXPECT_EQ(MetricValue(registry, kName, ok), 2);
  EXPECT_EQ(HistogramSum(registry, kName, ok), 4);
  EXPECT_THAT(registry.Text(), HasSubstr("grpc_status_code=\"DeadlineExceeded\""));
}

}  // namespace
}  // namespace kubelet_cm::dra
