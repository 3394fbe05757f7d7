// DraMetrics: what the DRA manager counts, under the names that kubelets use.
//
// Thread-safe.
#ifndef KUBELET_CM_DRA_DRA_METRICS_H_
#define KUBELET_CM_DRA_DRA_METRICS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "common/metrics/registry.h"
#include "common/threads/mutex.h"

namespace kubelet_cm::dra {

// By driver.
using DriverCounts = absl::btree_map<std::string, int64_t>;

class DraMetrics {
 public:
  // The registry outlives it.
  explicit DraMetrics(MetricsRegistry& metrics);

  // "PrepareResources" or "UnprepareResources".
  void CountOperation(const std::string& name, bool is_error, absl::Duration took);
  // Calls that drivers did not want.
  void CountSkippedPrepares(const DriverCounts& skipped);
  void CountSkippedUnprepares(const DriverCounts& skipped);
  // Shows how many claims are in use; `current` is asked for the numbers, so that the last caller shows the last ones.
  // Returns what is different, as in "gpu.example.com: 2 (+1)"; a driver that no claim uses any more is 0.
  std::vector<std::string> ShowClaimsInUse(absl::FunctionRef<DriverCounts()> current);

 private:
  HistogramFamily duration_;
  CounterFamily skipped_prepares_;
  CounterFamily skipped_unprepares_;
  GaugeFamily in_use_;
  Mutex mu_;
  DriverCounts shown_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_METRICS_H_
