// MetricsRegistry: the counters, gauges and histograms of one process (or of one test), and their text exposition.
//
// A registry is made by whoever wires a program together and passed to what counts; nothing is global. Product code
// includes this header and none of prometheus-cpp's, which does the work:
//
//   registration_total_(metrics.AddCounter({.name = "kubelet_device_plugin_registration_total",
//                                           .help = "Cumulative number of device plugin registrations.",
//                                           .labels = {"resource_name"}})),
//   ...
//   registration_total_.With({"example.com/device"}).Increment();
//
// Families and series are handles that point into the registry: copy them freely, the registry outlives them.
// Thread-safe, all of it.
#ifndef KUBELET_CM_COMMON_METRICS_REGISTRY_H_
#define KUBELET_CM_COMMON_METRICS_REGISTRY_H_

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
class Registry;
struct MetricFamily;
template <typename T>
class Family;
}  // namespace prometheus

namespace kubelet_cm {

// What one family is called and says of itself. `labels` names the labels whose values With() takes, in that order.
struct MetricOptions {
  std::string name = {};
  std::string help = {};
  std::vector<std::string> labels = {};
};

class Counter {
 public:
  // `by` is not negative.
  void Increment(double by = 1);

 private:
  template <typename Series>
  friend class MetricFamily;
  explicit Counter(prometheus::Counter* counter) : counter_(counter) {}
  prometheus::Counter* counter_;
};

class Gauge {
 public:
  void Set(double value);
  void Add(double by);

 private:
  template <typename Series>
  friend class MetricFamily;
  explicit Gauge(prometheus::Gauge* gauge) : gauge_(gauge) {}
  prometheus::Gauge* gauge_;
};

class Histogram {
 public:
  void Observe(double value);

 private:
  template <typename Series>
  friend class MetricFamily;
  explicit Histogram(prometheus::Histogram* histogram) : histogram_(histogram) {}
  prometheus::Histogram* histogram_;
};

namespace metrics_internal {
template <typename Series>
struct Backend;
template <>
struct Backend<Counter> {
  using Type = prometheus::Counter;
};
template <>
struct Backend<Gauge> {
  using Type = prometheus::Gauge;
};
template <>
struct Backend<Histogram> {
  using Type = prometheus::Histogram;
};
}  // namespace metrics_internal

// The series of one name, told apart by their label values.
template <typename Series>
class MetricFamily {
 public:
  // The series with these label values, as many as the family has labels; made, at zero, when it is asked for first.
  Series With(absl::Span<const std::string> values);
  Series With(std::initializer_list<std::string> values) {
    return With(absl::MakeConstSpan(values.begin(), values.size()));
  }

  // The series with these label values is not shown any more. Nobody uses a handle to it afterwards.
  void Remove(std::initializer_list<std::string> values);

 private:
  friend class MetricsRegistry;
  using Backend = typename metrics_internal::Backend<Series>::Type;
  MetricFamily(prometheus::Family<Backend>* family, std::vector<std::string> labels, std::vector<double> buckets);

  Backend& At(absl::Span<const std::string> values);

  prometheus::Family<Backend>* family_;
  std::vector<std::string> labels_;
  std::vector<double> buckets_;  // a histogram's upper bounds
};

using CounterFamily = MetricFamily<Counter>;
using GaugeFamily = MetricFamily<Gauge>;
using HistogramFamily = MetricFamily<Histogram>;

// The upper bounds that upstream's Go library calls DefBuckets: 5 ms to 10 s.
std::vector<double> DefaultBuckets();

class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  // A family without labels appears at once, at zero; one with labels appears with its first series. Adding the same
  // family twice gives the same one. A name that is malformed or that another kind has taken is a bug: it crashes.
  CounterFamily AddCounter(MetricOptions options);
  GaugeFamily AddGauge(MetricOptions options);
  HistogramFamily AddHistogram(MetricOptions options, std::vector<double> buckets = DefaultBuckets());

  // Everything in Prometheus' text exposition format, sorted by name and then by labels.
  std::string Text() const;

  // As Text() has it, as prometheus-cpp's values.
  std::vector<prometheus::MetricFamily> Collect() const;

 private:
  const std::unique_ptr<prometheus::Registry> registry_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_METRICS_REGISTRY_H_
