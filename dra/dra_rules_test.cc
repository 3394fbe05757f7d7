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

TEST(DraRulesTest, DriversHadAllTheTimeIn126AndTenSecondsIn127) {
  EXPECT_EQ(Of("1.26").call_timeout, absl::InfiniteDuration());
  EXPECT_EQ(Of("1.27").call_timeout, absl::Seconds(10));
  EXPECT_EQ(Of("1.28").call_timeout, absl::Seconds(45));
  EXPECT_EQ(Of("latest").call_timeout, absl::Seconds(45));
}

TEST(DraRulesTest, An127sFileLackedHandlesAndWasBelieved) {
  EXPECT_TRUE(Of("1.27").fetches_to_unprepare);
  EXPECT_FALSE(Of("1.26").fetches_to_unprepare);
  EXPECT_FALSE(Of("1.28").fetches_to_unprepare);
  EXPECT_TRUE(Of("1.27").writes_each_handle);
  EXPECT_FALSE(Of("1.28").writes_each_handle);
  EXPECT_FALSE(Of("1.27").fetches_known_claims);
  EXPECT_TRUE(Of("1.28").fetches_known_claims);
  EXPECT_TRUE(Of("1.28").restored_is_prepared);
  EXPECT_FALSE(Of("1.29").restored_is_prepared);
}

TEST(DraRulesTest, SuccessesWereErrorsInTheMetricFrom132To135) {
  EXPECT_FALSE(Of("1.31").inverts_is_error);
  EXPECT_TRUE(Of("1.32").inverts_is_error);
  EXPECT_TRUE(Of("1.35").inverts_is_error);
  EXPECT_FALSE(Of("1.36").inverts_is_error);
  EXPECT_FALSE(Of("latest").inverts_is_error);
}

TEST(DraRulesTest, EverythingIsLookedAtFirstSince134) {
  EXPECT_FALSE(Of("1.33").looks_at_all_first);
  EXPECT_TRUE(Of("1.34").looks_at_all_first);
  EXPECT_FALSE(Of("1.33").checks_uids);
  EXPECT_TRUE(Of("1.34").checks_uids);
}

TEST(DraRulesTest, APreparedClaimHidTheNextOnesIn134And135) {
  EXPECT_FALSE(Of("1.33").stops_at_prepared);
  EXPECT_TRUE(Of("1.34").stops_at_prepared);
  EXPECT_TRUE(Of("1.35").stops_at_prepared);
  EXPECT_FALSE(Of("1.36").stops_at_prepared);
  EXPECT_FALSE(Of("latest").stops_at_prepared);
}

TEST(DraRulesTest, FailuresAreToldInTheWordsOfTheirTime) {
  EXPECT_EQ(Of("1.26").words, CallWords::kUntil126);
  EXPECT_EQ(Of("1.27").words, CallWords::kUntil127);
  EXPECT_EQ(Of("1.28").words, CallWords::kUntil129);
  EXPECT_EQ(Of("1.29").words, CallWords::kUntil129);
  EXPECT_EQ(Of("1.30").words, CallWords::kUntil130);
  EXPECT_EQ(Of("1.31").words, CallWords::kUntil133);
  EXPECT_EQ(Of("1.33").words, CallWords::kUntil133);
  EXPECT_EQ(Of("1.34").words, CallWords::kNewest);
  EXPECT_EQ(Of("latest").words, CallWords::kNewest);
}

TEST(DraRulesTest, AClaimThatIsBeingUnpreparedIsGuardedSince137) {
  EXPECT_FALSE(Of("1.26").guards_unpreparing);
  EXPECT_FALSE(Of("1.36").guards_unpreparing);
  EXPECT_TRUE(Of("1.37").guards_unpreparing);
  EXPECT_TRUE(Of("latest").guards_unpreparing);
}

TEST(DraRulesTest, UnpreparesWentByThePodUntil136) {
  EXPECT_EQ(Of("1.36").unprepare_asks, UnprepareAsks::kAlways);
  EXPECT_EQ(Of("1.37").unprepare_asks, UnprepareAsks::kIfNoneIsKnown);
  EXPECT_EQ(Of("latest").unprepare_asks, UnprepareAsks::kNothing);
}

TEST(DraRulesTest, WhatDriversHaveWasPublishedBy130AndNoOther) {
  for (const char* other : {"1.26", "1.29", "1.31", "latest"}) EXPECT_FALSE(Of(other).publishes_models) << other;
  EXPECT_TRUE(Of("1.30").publishes_models);
}

}  // namespace
}  // namespace kubelet_cm::dra
