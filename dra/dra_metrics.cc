#include "dra/dra_metrics.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "dra/plugin/duration_buckets.h"

namespace kubelet_cm::dra {

DraMetrics::DraMetrics(MetricsRegistry& metrics)
    : duration_(metrics.AddHistogram(
          {.name = "dra_operations_duration_seconds",
           .help = "[ALPHA] Latency histogram in seconds for the duration of handling all ResourceClaims referenced by "
                   "a pod "
                   "when the pod starts or stops. Identified by the name of the operation (PrepareResources or "
                   "UnprepareResources) and separated by the success of the operation. The number of failed operations "
                   "is provided through the histogram's overall count.",
           .labels = {"operation_name", "is_error"}},
          DraDurationBuckets())),
      skipped_prepares_(metrics.AddCounter(
          {.name = "dra_node_prepare_skips_total",
           .help = "[ALPHA] Cumulative number of times NodePrepareResources gRPC calls were skipped due to "
                   "SkipNodeOperations.",
           .labels = {"driver_name"}})),
      skipped_unprepares_(metrics.AddCounter(
          {.name = "dra_node_unprepare_skips_total",
           .help = "[ALPHA] Cumulative number of times NodeUnprepareResources gRPC calls were skipped due to "
                   "SkipNodeOperations.",
           .labels = {"driver_name"}})),
      in_use_(metrics.AddGauge(
          {.name = "dra_resource_claims_in_use",
           .help = "[ALPHA] The number of ResourceClaims that are currently in use on the node, by driver name "
                   "(driver_name "
                   "label value) and across all drivers (special value <any> for driver_name). Note that the sum of "
                   "all by-driver counts is not the total number of in-use ResourceClaims because the same "
                   "ResourceClaim might use devices from different drivers. Instead, use the count for the <any> "
                   "driver_name.",
           .labels = {"driver_name"}})) {}

void DraMetrics::CountOperation(const std::string& name, bool is_error, absl::Duration took) {
  HistogramFamily duration = duration_;
  duration.With({name, is_error ? "true" : "false"}).Observe(absl::ToDoubleSeconds(took));
}

void DraMetrics::CountSkippedPrepares(const DriverCounts& skipped) {
  CounterFamily counter = skipped_prepares_;
  for (const auto& [driver, count] : skipped) counter.With({driver}).Increment(static_cast<double>(count));
}

void DraMetrics::CountSkippedUnprepares(const DriverCounts& skipped) {
  CounterFamily counter = skipped_unprepares_;
  for (const auto& [driver, count] : skipped) counter.With({driver}).Increment(static_cast<double>(count));
}

std::vector<std::string> DraMetrics::ShowClaimsInUse(absl::FunctionRef<DriverCounts()> current) {
  std::vector<std::string> changes;
  MutexLock lock(&mu_);
  DriverCounts counts = current();
  for (const auto& [driver, count] : shown_) counts.try_emplace(driver, 0);
  for (const auto& [driver, count] : counts) {
    const auto shown = shown_.find(driver);
    const int64_t delta = count - (shown == shown_.end() ? 0 : shown->second);
    if (delta == 0 && shown != shown_.end()) continue;
    in_use_.With({driver}).Set(static_cast<double>(count));
    if (delta != 0) changes.push_back(absl::StrCat(driver, ": ", count, " (", delta > 0 ? "+" : "", delta, ")"));
  }
  shown_ = std::move(counts);
  return changes;
}

}  // namespace kubelet_cm::dra
