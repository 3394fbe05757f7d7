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

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kName[] = "dra_grpc_operations_duration_seconds";

TEST(DriverCallMetricsTest, BucketsAreThoseOfUpstream) {
  const auto near = [](double bound) { return DoubleNear(bound, bound / 1000); };
  EXPECT_THAT(DraDurationBuckets(), ElementsAre(near(0.1), near(0.1534), near(0.2354), near(0.3611), near(0.5539),
                                                near(0.8498), near(1.3037), near(2), near(3.0683), near(4.7071),
                                                near(7.2213), near(11.078), near(16.996), near(26.073), near(40)));
}

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
