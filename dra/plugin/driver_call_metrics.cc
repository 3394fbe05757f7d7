#include "dra/plugin/driver_call_metrics.h"

#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "dra/plugin/duration_buckets.h"

namespace kubelet_cm::dra {
DriverCallMetrics::DriverCallMetrics(MetricsRegistry& metrics, const Clock& clock)
    : clock_(clock),
      duration_(metrics.AddHistogram({.name = "dra_grpc_operations_duration_seconds",
                                      .help = "[ALPHA] Duration in seconds of the DRA gRPC operations",
                                      .labels = {"driver_name", "method_name", "grpc_status_code"}},
                                     DraDurationBuckets())) {}

void DriverCallMetrics::Record(const std::string& driver_name, const std::string& method, absl::StatusCode code,
                               MonotonicTime begun) const {
  HistogramFamily duration = duration_;  // a handle
  duration.With({driver_name, method, GoCodeName(code)}).Observe(absl::ToDoubleSeconds(Now() - begun));
}

}  // namespace kubelet_cm::dra
