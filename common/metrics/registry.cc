#include "common/metrics/registry.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/str_join.h"
#include "common/status/check.h"
#include "prometheus/check_names.h"
#include "prometheus/counter.h"
#include "prometheus/gauge.h"
#include "prometheus/histogram.h"
#include "prometheus/registry.h"
#include "prometheus/text_serializer.h"

namespace kubelet_cm {
namespace {

// prometheus-cpp throws for these; here they are bugs of the caller.
void CheckNames(const MetricOptions& options) {
  CHECK(prometheus::CheckMetricName(options.name)) << "metric name " << options.name;
  for (const std::string& label : options.labels) {
    CHECK(prometheus::CheckLabelName(label)) << "label " << label << " of " << options.name;
  }
}

prometheus::Labels Labels(const std::vector<std::string>& names, absl::Span<const std::string> values) {
  CHECK(names.size() == values.size()) << "labels {" << absl::StrJoin(names, ",") << "} given {"
                                       << absl::StrJoin(values, ",") << "}";
  prometheus::Labels labels;
  for (size_t i = 0; i < names.size(); ++i) labels.emplace(names[i], values[i]);
  return labels;
}

}  // namespace

void Counter::Increment(double by) {
  CHECK(by >= 0) << "a counter does not go down";
  counter_->Increment(by);
}

void Gauge::Set(double value) { gauge_->Set(value); }

void Gauge::Add(double by) { gauge_->Increment(by); }

void Histogram::Observe(double value) { histogram_->Observe(value); }

template <typename Series>
MetricFamily<Series>::MetricFamily(prometheus::Family<Backend>* family, std::vector<std::string> labels,
                                   std::vector<double> buckets)
    : family_(family), labels_(std::move(labels)), buckets_(std::move(buckets)) {
  if (labels_.empty()) With({});
}

template <typename Series>
typename MetricFamily<Series>::Backend& MetricFamily<Series>::At(absl::Span<const std::string> values) {
  return family_->Add(Labels(labels_, values));
}

template <>
prometheus::Histogram& MetricFamily<Histogram>::At(absl::Span<const std::string> values) {
  return family_->Add(Labels(labels_, values), buckets_);
}

template <typename Series>
Series MetricFamily<Series>::With(absl::Span<const std::string> values) {
  return Series(&At(values));
}

template <typename Series>
void MetricFamily<Series>::Remove(std::initializer_list<std::string> values) {
  // The family finds a series by its address alone; one that is not there is made for this moment.
  family_->Remove(&At(absl::MakeConstSpan(values.begin(), values.size())));
}

template class MetricFamily<Counter>;
template class MetricFamily<Gauge>;
template class MetricFamily<Histogram>;

std::vector<double> DefaultBuckets() { return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}; }

MetricsRegistry::MetricsRegistry() : registry_(std::make_unique<prometheus::Registry>()) {}

MetricsRegistry::~MetricsRegistry() = default;

CounterFamily MetricsRegistry::AddCounter(MetricOptions options) {
  CheckNames(options);
  auto& family = prometheus::BuildCounter().Name(options.name).Help(options.help).Register(*registry_);
  return CounterFamily(&family, std::move(options.labels), {});
}

GaugeFamily MetricsRegistry::AddGauge(MetricOptions options) {
  CheckNames(options);
  auto& family = prometheus::BuildGauge().Name(options.name).Help(options.help).Register(*registry_);
  return GaugeFamily(&family, std::move(options.labels), {});
}

HistogramFamily MetricsRegistry::AddHistogram(MetricOptions options, std::vector<double> buckets) {
  CheckNames(options);
  CHECK(std::is_sorted(buckets.begin(), buckets.end())) << "buckets of " << options.name;
  auto& family = prometheus::BuildHistogram().Name(options.name).Help(options.help).Register(*registry_);
  return HistogramFamily(&family, std::move(options.labels), std::move(buckets));
}

std::vector<prometheus::MetricFamily> MetricsRegistry::Collect() const {
  std::vector<prometheus::MetricFamily> families = registry_->Collect();
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  for (prometheus::MetricFamily& family : families) {
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return families;
}

std::string MetricsRegistry::Text() const {
  return prometheus::TextSerializer().prometheus::Serializer::Serialize(Collect());
}

}  // namespace kubelet_cm
