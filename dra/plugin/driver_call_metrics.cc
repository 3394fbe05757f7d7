#include "dra/plugin/driver_call_metrics.h"

#include <cmath>

#include "absl/time/time.h"
#include "common/status/grpc_status.h"

namespace kubelet_cm::dra {
namespace {

constexpr int kBucketCount = 15;
constexpr double kLowestBound = 0.1;
constexpr double kHighestBound = 40;

}  // namespace

std::vector<double> DraDurationBuckets() {
  const double factor = std::pow(kHighestBound / kLowestBound, 1.0 / (kBucketCount - 1));
  std::vector<double> bounds;
  for (int i = 0; i < kBucketCount; ++i) bounds.push_back(kLowestBound * std::pow(factor, i));
  return bounds;
}

DriverCallMetrics::DriverCallMetrics(MetricsRegistry& metrics, const Clock& clock)
    : clock_(clock),
      duration_(metrics.AddHistogram({.name = "dra_grpc_operations_duration_seconds",
                                      .help = "Duration in seconds of the DRA gRPC operations",
                                      .labels = {"driver_name", "method_name", "grpc_status_code"}},
                                     DraDurationBuckets())) {}

void DriverCallMetrics::Record(const std::string& driver_name, const std::string& method, absl::StatusCode code,
                               MonotonicTime begun) const {
  HistogramFamily duration = duration_;  // a handle
  duration.With({driver_name, method, GoCodeName(code)}).Observe(absl::ToDoubleSeconds(Now() - begun));
}

}  // namespace kubelet_cm::dra
