#include "dra/health/health_report.h"

#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

TEST(HealthReportTest, EveryHealthHasANameAndEveryOtherNameIsUnknown) {
  for (const HealthValue value : {HealthValue::kUnknown, HealthValue::kHealthy, HealthValue::kUnhealthy}) {
    EXPECT_EQ(ParseHealthName(HealthName(value)), value);
  }
  EXPECT_EQ(ParseHealthName("healthy"), HealthValue::kUnknown);
}

}  // namespace
}  // namespace kubelet_cm::dra
