// MetricValue: what a test reads of a registry.
//
//   EXPECT_EQ(MetricValue(metrics, "kubelet_device_plugin_registration_total", {{"resource_name", "a/b"}}), 1);
#ifndef KUBELET_CM_COMMON_METRICS_METRIC_VALUE_H_
#define KUBELET_CM_COMMON_METRICS_METRIC_VALUE_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/metrics/registry.h"

namespace kubelet_cm {

// The value of the counter or gauge with exactly these labels, or how often the histogram has observed. Nothing when
// there is no such series.
std::optional<double> MetricValue(const MetricsRegistry& registry, std::string_view name,
                                  const std::map<std::string, std::string>& labels = {});

// The sum of what the histogram with exactly these labels has observed.
std::optional<double> HistogramSum(const MetricsRegistry& registry, std::string_view name,
                                   const std::map<std::string, std::string>& labels = {});

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_METRICS_METRIC_VALUE_H_
