#include "testing/harness/pod_node.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::harness {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

TEST(PodNodeTest, WhatWasAnsweredIsThereAfterAKillAndNothingElse) {
  PodNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.RunPlugin(kResource));
  ASSERT_OK(node.manager().AdmitPod(PodWith("a", {{kResource, 1}}), PodSource::kApi));
  node.Kill();
  ASSERT_OK(node.Start());
  EXPECT_THAT(node.Devices("a", kResource), ElementsAre("dev-0"));
  EXPECT_THAT(node.EventKinds(), IsEmpty());
  ASSERT_OK(node.RegisterAgain(kResource));
}

TEST(PodNodeTest, AfterABootNothingRuns) {
  PodNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.manager().AdmitPod(PodWith("a", {}), PodSource::kApi));
  node.Kill();
  node.Boot();
  ASSERT_OK(node.Start());
  EXPECT_EQ(node.pods().Find("a")->phase, PodPhase::kRestored);
}

}  // namespace
}  // namespace kubelet_cm::harness
