#include "dra/slices/slice_plan.h"

#include "absl/strings/str_cat.h"
#include "dra/slices/slice_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

ModelSlice Slice(const std::string& name, const std::string& instance, const std::string& driver = "gpu") {
  return {.name = name, .driver_name = driver, .model = ModelOf(instance), .metadata = "meta of " + name};
}

// "name <- driver: instance" each.
std::vector<std::string> Updates(const SlicePlan& plan) {
  std::vector<std::string> shown;
  for (const ModelSlice& slice : plan.updates) shown.push_back(absl::StrCat(slice.name, " <- ", ShownSlice(slice)));
  return shown;
}

TEST(SlicePlanTest, EachModelOfANewDriverGetsASlice) {
  const SlicePlan plan = PlanSlices({}, "gpu", {ModelOf("a"), ModelOf("b")});
  EXPECT_THAT(ShownSlices(plan.creations), ElementsAre("gpu: a", "gpu: b"));
  EXPECT_THAT(plan.updates, IsEmpty());
  EXPECT_THAT(plan.deletions, IsEmpty());
}

TEST(SlicePlanTest, WhatIsPublishedAlreadyIsLeftAlone) {
  const SlicePlan plan = PlanSlices({Slice("s1", "b"), Slice("s2", "a")}, "gpu", {ModelOf("a"), ModelOf("b")});
  EXPECT_THAT(plan.creations, IsEmpty());
  EXPECT_THAT(plan.updates, IsEmpty());
  EXPECT_THAT(plan.deletions, IsEmpty());
}

TEST(SlicePlanTest, ANewModelTakesOverTheSliceOfOneThatIsGone) {
  const SlicePlan plan = PlanSlices({Slice("s1", "a"), Slice("s2", "b")}, "gpu", {ModelOf("b"), ModelOf("c")});
  EXPECT_THAT(Updates(plan), ElementsAre("s1 <- gpu: c"));
  EXPECT_EQ(plan.updates[0].metadata, "meta of s1");
  EXPECT_THAT(plan.creations, IsEmpty());
  EXPECT_THAT(plan.deletions, IsEmpty());
}

TEST(SlicePlanTest, SlicesWithoutAModelGo) {
  const SlicePlan plan = PlanSlices({Slice("s2", "b"), Slice("s1", "a"), Slice("s3", "c")}, "gpu", {ModelOf("b")});
  EXPECT_THAT(plan.deletions, ElementsAre("s1", "s3"));
  EXPECT_THAT(plan.updates, IsEmpty());
}

TEST(SlicePlanTest, OtherDriversSlicesAreNobodysBusiness) {
  const SlicePlan plan = PlanSlices({Slice("s1", "a", "nic"), Slice("s2", "b", "nic")}, "gpu", {ModelOf("a")});
  EXPECT_THAT(ShownSlices(plan.creations), ElementsAre("gpu: a"));
  EXPECT_THAT(plan.updates, IsEmpty());
  EXPECT_THAT(plan.deletions, IsEmpty());
}

// A kubelet took the second of two models that are the same for one that was in no slice, at every look.
TEST(SlicePlanTest, ModelsThatAreTheSameHaveASliceEachAndNoMore) {
  EXPECT_THAT(ShownSlices(PlanSlices({Slice("s1", "a")}, "gpu", {ModelOf("a"), ModelOf("a")}).creations),
              ElementsAre("gpu: a"));
  const SlicePlan plan = PlanSlices({Slice("s1", "a"), Slice("s2", "a")}, "gpu", {ModelOf("a"), ModelOf("a")});
  EXPECT_THAT(plan.creations, IsEmpty());
  EXPECT_THAT(plan.deletions, IsEmpty());
  EXPECT_THAT(PlanSlices({Slice("s1", "a"), Slice("s2", "a")}, "gpu", {ModelOf("a")}).deletions, ElementsAre("s2"));
}

}  // namespace
}  // namespace kubelet_cm::dra
