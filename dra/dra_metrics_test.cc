#include "dra/dra_metrics.h"

#include "common/metrics/metric_value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class DraMetricsTest : public testing::Test {
 protected:
  std::vector<std::string> Show(DriverCounts counts) {
    return metrics_.ShowClaimsInUse([&] { return counts; });
  }
  std::optional<double> InUse(const std::string& driver) {
    return MetricValue(registry_, "dra_resource_claims_in_use", {{"driver_name", driver}});
  }

  MetricsRegistry registry_;
  DraMetrics metrics_{registry_};
};

// Kubelets 1.32 to 1.35 had it the other way round.
TEST_F(DraMetricsTest, AnErrorIsTrue) {
  metrics_.CountOperation("PrepareResources", true, absl::Seconds(2));
  EXPECT_EQ(MetricValue(registry_, "dra_operations_duration_seconds",
                        {{"operation_name", "PrepareResources"}, {"is_error", "true"}}),
            1);
  EXPECT_EQ(HistogramSum(registry_, "dra_operations_duration_seconds",
                         {{"operation_name", "PrepareResources"}, {"is_error", "true"}}),
            2);
}

TEST_F(DraMetricsTest, SkippedCallsAreCountedByDriver) {
  metrics_.CountSkippedPrepares({{"gpu", 2}});
  metrics_.CountSkippedUnprepares({{"gpu", 1}, {"nic", 1}});
  EXPECT_EQ(MetricValue(registry_, "dra_node_prepare_skips_total", {{"driver_name", "gpu"}}), 2);
  EXPECT_EQ(MetricValue(registry_, "dra_node_unprepare_skips_total", {{"driver_name", "gpu"}}), 1);
  EXPECT_EQ(MetricValue(registry_, "dra_node_unprepare_skips_total", {{"driver_name", "nic"}}), 1);
}

TEST_F(DraMetricsTest, ClaimsInUseAreShownWithWhatChangedAndADriverThatIsGoneIsZero) {
  EXPECT_THAT(Show({{"<any>", 2}, {"gpu", 2}}), ElementsAre("<any>: 2 (+2)", "gpu: 2 (+2)"));
  EXPECT_EQ(InUse("gpu"), 2);
  EXPECT_THAT(Show({{"<any>", 2}, {"gpu", 2}}), IsEmpty());
  EXPECT_THAT(Show({{"<any>", 1}, {"nic", 1}}), ElementsAre("<any>: 1 (-1)", "gpu: 0 (-2)", "nic: 1 (+1)"));
  EXPECT_EQ(InUse("gpu"), 0);
  EXPECT_EQ(InUse("<any>"), 1);
}

TEST_F(DraMetricsTest, TheCountOfAllIsThereFromTheStart) {
  EXPECT_THAT(Show({{"<any>", 0}}), IsEmpty());
  EXPECT_EQ(InUse("<any>"), 0);
}

}  // namespace
}  // namespace kubelet_cm::dra
