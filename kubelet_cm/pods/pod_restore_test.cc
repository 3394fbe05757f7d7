#include "kubelet_cm/pods/pod_restore.h"

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

StoredRecord Stored(const std::string& uid, PodPhase phase, const std::string& boot_id) {
  return {.record = {.pod = std::make_shared<const Pod>(Pod{.uid = uid, .namespace_name = "default", .name = uid}),
                     .phase = phase,
                     .running = {"main"}},
          .boot_id = boot_id};
}

TEST(PodRestoreTest, AfterARestartPodsAreWhereTheyWere) {
  const RestoredPods restored = RestorePods({Stored("a", PodPhase::kPrepared, "now")}, {.boot_id = "now"});
  ASSERT_THAT(restored.records, SizeIs(1));
  EXPECT_EQ(restored.records[0].phase, PodPhase::kPrepared);
  EXPECT_FALSE(restored.node_start.rebooted);
  EXPECT_TRUE(restored.node_start.WasRunning("a", "main"));
  EXPECT_FALSE(restored.node_start.WasRunning("a", "other"));
}

TEST(PodRestoreTest, AfterABootNothingRunsAndPodsHaveToBeAdmittedAgain) {
  const RestoredPods restored =
      RestorePods({Stored("a", PodPhase::kPrepared, "before")}, {.boot_id = "now", .rebooted = true});
  EXPECT_EQ(restored.records[0].phase, PodPhase::kRestored);
  EXPECT_THAT(restored.records[0].running, IsEmpty());
  EXPECT_TRUE(restored.node_start.rebooted);
  EXPECT_FALSE(restored.node_start.WasRunning("a", "main"));
}

TEST(PodRestoreTest, APodOfAnEarlierBootDoesNotMakeARestartAReboot) {
  const RestoredPods restored =
      RestorePods({Stored("old", PodPhase::kPrepared, "before"), Stored("new", PodPhase::kPrepared, "now")},
                  {.boot_id = "now", .rebooted = false});
  EXPECT_FALSE(restored.node_start.rebooted);
  EXPECT_EQ(restored.records[0].phase, PodPhase::kRestored);
  EXPECT_FALSE(restored.node_start.WasRunning("old", "main"));
  EXPECT_EQ(restored.records[1].phase, PodPhase::kPrepared);
  EXPECT_TRUE(restored.node_start.WasRunning("new", "main"));
}

TEST(PodRestoreTest, AfterAKubeletHadTheNodePodsHaveToBeAdmittedAgainAndTheirContainersMayRun) {
  const RestoredPods restored =
      RestorePods({Stored("a", PodPhase::kPrepared, "now")}, {.boot_id = "now", .others = true});
  EXPECT_EQ(restored.records[0].phase, PodPhase::kRestored);
  EXPECT_TRUE(restored.node_start.WasRunning("a", "main"));
}

TEST(PodRestoreTest, APodOnItsWayOutStaysOnItsWayOut) {
  const RestoredPods restored = RestorePods({Stored("a", PodPhase::kTerminating, "before")},
                                            {.boot_id = "now", .rebooted = true, .others = true});
  EXPECT_EQ(restored.records[0].phase, PodPhase::kTerminating);
}

}  // namespace
}  // namespace kubelet_cm
