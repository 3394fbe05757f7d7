#include "kubelet_cm/pluginwatcher/plugin_metrics.h"

#include <optional>

#include "common/metrics/metric_value.h"
#include "gtest/gtest.h"

namespace kubelet_cm::pluginwatcher {
namespace {

std::optional<double> Value(const MetricsRegistry& metrics, const char* path, const char* state) {
  return MetricValue(metrics, "plugin_manager_total_plugins", {{"socket_path", path}, {"state", state}});
}

TEST(PluginMetricsTest, SeriesComeAndGoWithTheirSockets) {
  MetricsRegistry metrics;
  PluginMetrics plugins(metrics);
  plugins.Show({"/a", "/b"}, {"/a"});
  EXPECT_EQ(Value(metrics, "/a", "desired_state_of_world"), 1);
  EXPECT_EQ(Value(metrics, "/a", "actual_state_of_world"), 1);
  EXPECT_EQ(Value(metrics, "/b", "actual_state_of_world"), std::nullopt);
  plugins.Show({"/b"}, {"/a"});
  EXPECT_EQ(Value(metrics, "/a", "desired_state_of_world"), std::nullopt);
  EXPECT_EQ(Value(metrics, "/a", "actual_state_of_world"), 1);
  EXPECT_EQ(Value(metrics, "/b", "desired_state_of_world"), 1);
}

TEST(PluginMetricsTest, NothingIsShownOfAWatcherThatIsGone) {
  MetricsRegistry metrics;
  { PluginMetrics(metrics).Show({"/a"}, {}); }
  EXPECT_EQ(Value(metrics, "/a", "desired_state_of_world"), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
