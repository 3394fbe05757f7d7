#include "testing/scenarios/upgrade_outcomes.h"

#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

constexpr char kPage[] = "docs/upgrade_outcomes.md";

TEST(UpgradeOutcomesTest, TheUpgradeBugIsThereAndItsRepairToo) {  // k/k#102880
  EXPECT_EQ(DeviceOutcome("1.19", "1.20.0"), "lost");
  EXPECT_EQ(DeviceOutcome("1.19", "1.20.15"), "kept");
}

TEST(UpgradeOutcomesTest, OurOwnKeepsWhatAnyKubeletLeft) {
  for (const char* from : {"1.8", "1.9", "1.11", "1.20.0", "1.31"}) EXPECT_EQ(DeviceOutcome(from, "latest"), "kept");
  for (const char* from : {"1.27", "1.30", "1.31", "1.36"}) EXPECT_EQ(ClaimOutcome(from, "latest"), "kept");
}

TEST(UpgradeOutcomesTest, APodThatRunsIsAdmittedAnewWhenItsKubeletStarts) {
  for (const char* kubelet : {"1.8", "1.27", "1.28", "1.37", "latest"}) {
    EXPECT_EQ(RunningPodOutcome(kubelet, ToldAgain::kAtStart), "admitted") << kubelet;
    EXPECT_EQ(RunningPodOutcome(kubelet, ToldAgain::kWithPlugin), "admitted") << kubelet;
  }
}

TEST(UpgradeOutcomesTest, Since128APodThatRunsIsRefusedWhenItIsToldOfLateAndOursIsNot) {
  EXPECT_EQ(RunningPodOutcome("1.27", ToldAgain::kWithoutPlugin), "admitted");
  EXPECT_EQ(RunningPodOutcome("1.28", ToldAgain::kWithoutPlugin), "refused");
  EXPECT_EQ(RunningPodOutcome("1.37", ToldAgain::kWithoutPlugin), "refused");
  EXPECT_EQ(RunningPodOutcome("latest", ToldAgain::kWithoutPlugin), "admitted");
}

TEST(UpgradeOutcomesTest, AKubeletExitsBecauseOfTheClaimsOfOneBefore131) {
  EXPECT_EQ(ClaimOutcome("1.30", "1.31"), "refuses to start");
}

TEST(UpgradeOutcomesTest, AKubeletThatKeepsNoFileOfClaimsLeaksThemToWhoeverComes) {
  for (const char* other : {"1.26", "1.27", "1.31", "latest"}) EXPECT_EQ(ClaimOutcome("1.26", other), "leaked");
  EXPECT_EQ(ClaimOutcome("1.30", "1.26"), "leaked");
}

TEST(UpgradeOutcomesTest, TheDocumentIsWhatTheRunMakes) {
  PosixFileSystem files;
  constexpr size_t kMax = 1 << 20;
  ASSERT_OK_AND_ASSIGN(const std::string page, ReadFile(files, kPage, kMax));
  EXPECT_EQ(page, UpgradeOutcomesPage()) << "./bazelw run //testing/scenarios:upgrade_outcomes > " << kPage;
}

}  // namespace
}  // namespace kubelet_cm::scenarios
