#include "dra/dra_rules.h"

#include <string_view>

#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

DraRules Of(std::string_view kubelet) { return RulesOf(**ParsePersonality(kubelet)); }

TEST(DraRulesTest, LatestTrustsItsStateFileAndCallsDriversAtTheSameTime) {
  EXPECT_TRUE(Of("latest").trust_devices);
  EXPECT_GT(Of("latest").parallel_calls, 1u);
  EXPECT_TRUE(Of("latest").intent_first);
}

TEST(DraRulesTest, NoKubeletTrustsItsStateFile) {
  for (const char* kubelet : {"1.27", "1.28", "1.30", "1.31", "1.34", "1.37"}) {
    EXPECT_FALSE(Of(kubelet).trust_devices) << kubelet;
    EXPECT_EQ(Of(kubelet).parallel_calls, 1u) << kubelet;
  }
}

TEST(DraRulesTest, TheIntentIsWrittenFirstSince131) {
  EXPECT_FALSE(Of("1.27").intent_first);
  EXPECT_FALSE(Of("1.30").intent_first);
  EXPECT_TRUE(Of("1.31").intent_first);
  EXPECT_FALSE(Of("1.30").reconciles);
  EXPECT_TRUE(Of("1.31").reconciles);
}

TEST(DraRulesTest, ContainersGetAnnotationsUntil130) {
  EXPECT_FALSE(Of("1.26").cdi_devices);
  EXPECT_EQ(Of("1.26").annotations, AnnotationKey::kClaimsDriver);
  EXPECT_TRUE(Of("1.27").cdi_devices);
  EXPECT_EQ(Of("1.27").annotations, AnnotationKey::kClaimsDriver);
  EXPECT_EQ(Of("1.28").annotations, AnnotationKey::kDriver);
  EXPECT_EQ(Of("1.30").annotations, AnnotationKey::kDriver);
  EXPECT_EQ(Of("1.31").annotations, std::nullopt);
}

TEST(DraRulesTest, NamesOfClaimsAreResolvedAsInTheirTime) {
  EXPECT_TRUE(Of("1.27").names.from_template_name);
  EXPECT_FALSE(Of("1.28").names.from_template_name);
  EXPECT_TRUE(Of("1.30").names.only_used);
  EXPECT_FALSE(Of("1.31").names.only_used);
  EXPECT_FALSE(Of("1.33").names.extended_resources);
  EXPECT_TRUE(Of("1.34").names.extended_resources);
}

TEST(DraRulesTest, DriversHadTenSecondsIn127) {
  EXPECT_EQ(Of("1.27").call_timeout, absl::Seconds(10));
  EXPECT_EQ(Of("1.28").call_timeout, absl::Seconds(45));
  EXPECT_EQ(Of("latest").call_timeout, absl::Seconds(45));
}

}  // namespace
}  // namespace kubelet_cm::dra
