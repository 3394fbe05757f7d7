#include "common/metrics/metric_value.h"

#include <vector>

#include "prometheus/client_metric.h"
#include "prometheus/metric_family.h"
#include "prometheus/metric_type.h"

namespace kubelet_cm {
namespace {

struct Found {
  prometheus::MetricType type;
  prometheus::ClientMetric metric;
};

std::map<std::string, std::string> LabelsOf(const prometheus::ClientMetric& metric) {
  std::map<std::string, std::string> labels;
  for (const auto& label : metric.label) labels.emplace(label.name, label.value);
  return labels;
}

std::optional<Found> Find(const MetricsRegistry& registry, std::string_view name,
                          const std::map<std::string, std::string>& labels) {
  for (const prometheus::MetricFamily& family : registry.Collect()) {
    if (family.name != name) continue;
    for (const prometheus::ClientMetric& metric : family.metric) {
      if (LabelsOf(metric) == labels) return Found{family.type, metric};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> MetricValue(const MetricsRegistry& registry, std::string_view name,
                                  const std::map<std::string, std::string>& labels) {
  const std::optional<Found> found = Find(registry, name, labels);
  if (!found.has_value()) return std::nullopt;
  switch (found->type) {
    case prometheus::MetricType::Counter:
      return found->metric.counter.value;
    case prometheus::MetricType::Gauge:
      return found->metric.gauge.value;
    case prometheus::MetricType::Histogram:
      return static_cast<double>(found->metric.histogram.sample_count);
    default:
      return std::nullopt;
  }
}

std::optional<double> HistogramSum(const MetricsRegistry& registry, std::string_view name,
                                   const std::map<std::string, std::string>& labels) {
  const std::optional<Found> found = Find(registry, name, labels);
  if (!found.has_value() || found->type != prometheus::MetricType::Histogram) return std::nullopt;
  return found->metric.histogram.sample_sum;
}

}  // namespace kubelet_cm
