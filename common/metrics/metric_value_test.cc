#include "common/metrics/metric_value.h"

#include <optional>

#include "common/metrics/registry.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(MetricValueTest, FindsTheSeriesWithTheseLabels) {
  MetricsRegistry metrics;
  CounterFamily family = metrics.AddCounter({.name = "c", .help = "C.", .labels = {"one", "two"}});
  family.With({"a", "b"}).Increment(7);
  family.With({"b", "a"}).Increment(8);
  EXPECT_EQ(MetricValue(metrics, "c", {{"two", "b"}, {"one", "a"}}), 7);
}

TEST(MetricValueTest, NothingForASeriesThatIsNotThere) {
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "c", .help = "C.", .labels = {"l"}}).With({"x"}).Increment();
  EXPECT_EQ(MetricValue(metrics, "c", {{"l", "y"}}), std::nullopt);
  EXPECT_EQ(MetricValue(metrics, "c"), std::nullopt);
  EXPECT_EQ(MetricValue(metrics, "d"), std::nullopt);
}

TEST(MetricValueTest, HistogramHasACountAndASum) {
  MetricsRegistry metrics;
  Histogram histogram = metrics.AddHistogram({.name = "h", .help = "H."}).With({});
  histogram.Observe(1.5);
  histogram.Observe(2);
  EXPECT_EQ(MetricValue(metrics, "h"), 2);
  EXPECT_EQ(HistogramSum(metrics, "h"), 3.5);
}

TEST(MetricValueTest, CounterHasNoSum) {
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "c", .help = "C."});
  EXPECT_EQ(HistogramSum(metrics, "c"), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm
