#include "common/metrics/registry.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/metrics/metric_value.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(MetricsRegistryTest, CounterShowsHelpTypeAndLabels) {
  MetricsRegistry metrics;
  CounterFamily family = metrics.AddCounter(
      {.name = "kubelet_device_plugin_registration_total", .help = "Registrations.", .labels = {"resource_name"}});
  family.With({"example.com/device"}).Increment();
  family.With({"example.com/device"}).Increment(2);
  EXPECT_EQ(metrics.Text(),
            "# HELP kubelet_device_plugin_registration_total Registrations.\n"
            "# TYPE kubelet_device_plugin_registration_total counter\n"
            "kubelet_device_plugin_registration_total{resource_name=\"example.com/device\"} 3\n");
}

TEST(MetricsRegistryTest, FamilyWithoutLabelsIsThereFromTheStart) {
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "errors_total", .help = "Errors."});
  EXPECT_THAT(metrics.Text(), HasSubstr("\nerrors_total 0\n"));
}

TEST(MetricsRegistryTest, FamilyWithLabelsAppearsWithItsFirstSeries) {
  MetricsRegistry metrics;
  GaugeFamily family = metrics.AddGauge({.name = "in_use", .help = "In use.", .labels = {"driver"}});
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("in_use{")));
  family.With({"gpu"}).Set(4);
  EXPECT_THAT(metrics.Text(), HasSubstr("in_use{driver=\"gpu\"} 4\n"));
}

TEST(MetricsRegistryTest, ARemovedSeriesIsNotShownAndBeginsAnew) {
  MetricsRegistry metrics;
  GaugeFamily family = metrics.AddGauge({.name = "in_use", .help = "In use.", .labels = {"driver"}});
  family.With({"gpu"}).Set(4);
  family.With({"nic"}).Set(5);
  family.Remove({"gpu"});
  family.Remove({"never there"});
  EXPECT_EQ(MetricValue(metrics, "in_use", {{"driver", "gpu"}}), std::nullopt);
  EXPECT_EQ(MetricValue(metrics, "in_use", {{"driver", "nic"}}), 5);
  EXPECT_THAT(metrics.Text(), Not(HasSubstr("never")));
  family.With({"gpu"}).Add(1);
  EXPECT_EQ(MetricValue(metrics, "in_use", {{"driver", "gpu"}}), 1);
}

TEST(MetricsRegistryTest, GaugeGoesUpAndDown) {
  MetricsRegistry metrics;
  Gauge gauge = metrics.AddGauge({.name = "depth", .help = "Depth."}).With({});
  gauge.Set(5);
  gauge.Add(2);
  gauge.Add(-4);
  EXPECT_EQ(MetricValue(metrics, "depth"), 3);
}

TEST(MetricsRegistryTest, HistogramCountsInCumulativeBuckets) {
  MetricsRegistry metrics;
  Histogram histogram = metrics.AddHistogram({.name = "seconds", .help = "Seconds."}, {0.5, 1}).With({});
  histogram.Observe(0.25);
  histogram.Observe(0.75);
  histogram.Observe(4);
  const std::string text = metrics.Text();
  EXPECT_THAT(text, HasSubstr("# TYPE seconds histogram\nseconds_count 3\nseconds_sum 5\n"));
  EXPECT_THAT(text, HasSubstr("seconds_bucket{le=\"0.5\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("seconds_bucket{le=\"1\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("seconds_bucket{le=\"+Inf\"} 3\n"));
}

TEST(MetricsRegistryTest, TextIsSortedByNameAndThenByLabels) {
  MetricsRegistry metrics;
  metrics.AddGauge({.name = "b", .help = "B."}).With({}).Set(1);
  CounterFamily family = metrics.AddCounter({.name = "c", .help = "C.", .labels = {"l"}});
  for (const char* value : {"y", "x", "z"}) family.With({value}).Increment();
  metrics.AddCounter({.name = "a", .help = "A."});
  EXPECT_EQ(metrics.Text(),
            "# HELP a A.\n# TYPE a counter\na 0\n"
            "# HELP b B.\n# TYPE b gauge\nb 1\n"
            "# HELP c C.\n# TYPE c counter\nc{l=\"x\"} 1\nc{l=\"y\"} 1\nc{l=\"z\"} 1\n");
}

TEST(MetricsRegistryTest, LabelValuesAreEscaped) {
  MetricsRegistry metrics;
  metrics.AddCounter({.name = "c", .help = "C.", .labels = {"l"}}).With({"a\"b\\c\nd"}).Increment();
  EXPECT_THAT(metrics.Text(), HasSubstr(R"(c{l="a\"b\\c\nd"} 1)"));
}

TEST(MetricsRegistryTest, SameFamilyAddedTwiceIsOne) {
  MetricsRegistry metrics;
  for (int i = 0; i < 2; ++i) metrics.AddCounter({.name = "c", .help = "C."}).With({}).Increment();
  EXPECT_EQ(MetricValue(metrics, "c"), 2);
}

TEST(MetricsRegistryTest, RegistriesAreIndependent) {
  MetricsRegistry first;
  MetricsRegistry second;
  first.AddCounter({.name = "c", .help = "C."});
  EXPECT_THAT(second.Text(), IsEmpty());
}

TEST(MetricsRegistryTest, ThreadsLoseNoIncrement) {
  MetricsRegistry metrics;
  CounterFamily family = metrics.AddCounter({.name = "c", .help = "C.", .labels = {"l"}});
  RealClock clock;
  RealThreads threads(clock);
  std::vector<std::unique_ptr<Thread>> started;
  for (int t = 0; t < 4; ++t) {
    started.push_back(threads.Start("counts", [family]() mutable {
      for (int i = 0; i < 1000; ++i) family.With({"x"}).Increment();
    }));
  }
  started.clear();  // waits for them
  EXPECT_EQ(MetricValue(metrics, "c", {{"l", "x"}}), 4000);
}

TEST(MetricsRegistryDeathTest, WrongNumberOfLabelValuesIsABug) {
  MetricsRegistry metrics;
  CounterFamily family = metrics.AddCounter({.name = "c", .help = "C.", .labels = {"l"}});
  EXPECT_DEATH(family.With({"x", "y"}), "labels \\{l\\} given \\{x,y\\}");
}

TEST(MetricsRegistryDeathTest, MalformedNameIsABug) {
  MetricsRegistry metrics;
  EXPECT_DEATH(metrics.AddCounter({.name = "not a name", .help = ""}), "metric name not a name");
}

}  // namespace
}  // namespace kubelet_cm
