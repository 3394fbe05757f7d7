// DriverCallMetrics: the metric of the calls to drivers, dra_grpc_operations_duration_seconds{driver_name, method_name,
// grpc_status_code}. Every call on the wire counts, with its full method path, and streams do not. Thread-safe.
#ifndef KUBELET_CM_DRA_PLUGIN_DRIVER_CALL_METRICS_H_
#define KUBELET_CM_DRA_PLUGIN_DRIVER_CALL_METRICS_H_

#include <string>

#include "absl/status/status.h"
#include "common/clock/clock.h"
#include "common/clock/monotonic_time.h"
#include "common/metrics/registry.h"

namespace kubelet_cm::dra {

class DriverCallMetrics {
 public:
  // Both outlive the object.
  DriverCallMetrics(MetricsRegistry& metrics, const Clock& clock);

  MonotonicTime Now() const { return clock_.MonotonicNow(); }

  // `method` is a path: "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources".
  void Record(const std::string& driver_name, const std::string& method, absl::StatusCode code,
              MonotonicTime begun) const;

 private:
  const Clock& clock_;
  const HistogramFamily duration_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRIVER_CALL_METRICS_H_
