#include "common/filesystem/fault_plan.h"

#include <cerrno>
#include <set>

#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;

const FileOperation kWriteA = {FileOp::kWrite, "/state/a"};
const FileOperation kSyncA = {FileOp::kSyncFile, "/state/a"};
const FileOperation kSyncB = {FileOp::kSyncFile, "/state/b"};
const FileOperation kRenameAToB = {FileOp::kRename, "/state/a", "/state/b"};

FaultPlan::Verdict Ask(FaultPlan& plan, const FileOperation& operation) {
  FaultPlan::Verdict verdict = plan.Begin(operation);
  plan.End();
  return verdict;
}

int ErrorOf(FaultPlan& plan, const FileOperation& operation) { return ErrnoOf(Ask(plan, operation).result); }

TEST(FaultPlanTest, AnEmptyPlanLetsEverythingPass) {
  FaultPlan plan;
  const FaultPlan::Verdict verdict = Ask(plan, kWriteA);
  EXPECT_TRUE(verdict.perform);
  EXPECT_OK(verdict.result);
}

TEST(FaultPlanTest, AFaultStrikesTheNthOperationOnce) {
  FaultPlan plan;
  plan.Arm({.nth = 2, .error = EACCES});
  EXPECT_EQ(ErrorOf(plan, kWriteA), 0);
  EXPECT_THAT(Ask(plan, kSyncA).result,
              StatusIs(absl::StatusCode::kPermissionDenied, "fsync /state/a: Permission denied"));
  EXPECT_EQ(ErrorOf(plan, kSyncA), 0);
}

TEST(FaultPlanTest, APersistentFaultStaysFromTheNthOperationOn) {
  FaultPlan plan;
  plan.Arm({.nth = 2, .persistent = true});
  EXPECT_EQ(ErrorOf(plan, kWriteA), 0);
  EXPECT_EQ(ErrorOf(plan, kSyncA), EIO);
  EXPECT_EQ(ErrorOf(plan, kWriteA), EIO);
}

TEST(FaultPlanTest, OnlyWhatMatchesIsCounted) {
  FaultPlan plan;
  plan.Arm({.ops = {FileOp::kSyncFile, FileOp::kSyncFolder}, .path_pattern = "/b$", .nth = 2});
  for (const FileOperation& operation : {kWriteA, kSyncA, kRenameAToB, kSyncB}) EXPECT_EQ(ErrorOf(plan, operation), 0);
  EXPECT_EQ(ErrorOf(plan, kSyncB), EIO);
}

TEST(FaultPlanTest, ARenameMatchesByEitherPath) {
  FaultPlan plan;
  plan.Arm({.path_pattern = "a$"});
  plan.Arm({.path_pattern = "b$"});
  EXPECT_EQ(ErrorOf(plan, kRenameAToB), EIO);
  EXPECT_EQ(ErrorOf(plan, kRenameAToB), 0);
}

TEST(FaultPlanTest, OfSeveralFaultsTheFirstWins) {
  FaultPlan plan;
  plan.Arm({.ops = {FileOp::kSyncFile}, .error = ENOSPC});
  plan.Arm({.persistent = true, .error = EACCES});
  EXPECT_EQ(ErrorOf(plan, kSyncA), ENOSPC);
  EXPECT_EQ(ErrorOf(plan, kSyncA), EACCES);
}

TEST(FaultPlanTest, EffectsSayWhetherToPerformAndWhatToReturn) {
  FaultPlan plan;
  plan.Arm({.nth = 1, .effect = FaultEffect::kFailAfterEffect});
  plan.Arm({.nth = 2, .effect = FaultEffect::kSkip});
  plan.Arm({.nth = 3, .effect = FaultEffect::kFail, .bytes_written = 5});
  const FaultPlan::Verdict fails_after = Ask(plan, kWriteA);
  EXPECT_TRUE(fails_after.perform);
  EXPECT_EQ(ErrnoOf(fails_after.result), EIO);
  const FaultPlan::Verdict skipped = Ask(plan, kWriteA);
  EXPECT_FALSE(skipped.perform);
  EXPECT_OK(skipped.result);
  const FaultPlan::Verdict cut_short = Ask(plan, kWriteA);
  EXPECT_FALSE(cut_short.perform);
  EXPECT_EQ(cut_short.bytes_written, 5u);
}

TEST(FaultPlanTest, AfterAStopNothingIsPerformed) {
  FaultPlan plan;
  plan.Arm({.effect = FaultEffect::kStopAfter});
  EXPECT_TRUE(Ask(plan, kWriteA).perform);
  EXPECT_TRUE(plan.stopped());
  const FaultPlan::Verdict dead = Ask(plan, kSyncA);
  EXPECT_FALSE(dead.perform);
  EXPECT_THAT(dead.result, StatusIs(absl::StatusCode::kAborted, "fsync /state/a: the process was stopped"));
}

TEST(FaultPlanTest, StopBeforeDoesNotPerformTheOperation) {
  FaultPlan plan;
  plan.Arm({.effect = FaultEffect::kStopBefore});
  EXPECT_FALSE(Ask(plan, kWriteA).perform);
  EXPECT_TRUE(plan.stopped());
}

TEST(FaultPlanTest, TheTraceIsWhatWasAskedForUpToTheStop) {
  FaultPlan plan;
  plan.Arm({.nth = 2});
  for (const FileOperation& operation : {kWriteA, kSyncA, kRenameAToB}) Ask(plan, operation);
  plan.Stop();
  Ask(plan, kSyncB);
  EXPECT_THAT(plan.trace(), ElementsAre(kWriteA, kSyncA, kRenameAToB));
  EXPECT_EQ(plan.operations(), 3u);
  EXPECT_EQ(kRenameAToB.ToString(), "rename /state/a /state/b");
}

TEST(FaultPlanTest, HowThingsStoodIsNotedAtEachOperationUpToTheStop) {
  FaultPlan plan;
  uint64_t changes = 3;
  plan.NoteMoments([&] { return CrashMoment{.disk = changes}; });
  Ask(plan, kWriteA);
  changes = 5;
  Ask(plan, kSyncA);
  plan.Stop();
  Ask(plan, kSyncB);
  EXPECT_THAT(plan.moments(), ElementsAre(CrashMoment{.disk = 3}, CrashMoment{.disk = 5}));
}

TEST(FaultPlanTest, DisarmedFaultsDoNotStrike) {
  FaultPlan plan;
  plan.Arm({.persistent = true});
  plan.DisarmAll();
  EXPECT_EQ(ErrorOf(plan, kWriteA), 0);
}

TEST(FaultPlanTest, FaultsAreDisarmedByTheirName) {
  FaultPlan plan;
  plan.Arm({.persistent = true, .error = ENOSPC, .name = "one"});
  plan.Arm({.persistent = true, .error = EACCES, .name = "other"});
  plan.Disarm("one");
  EXPECT_EQ(ErrorOf(plan, kWriteA), EACCES);
}

TEST(FaultPlanTest, TheProcessAfterAStopGoesOnWithTheSameCount) {
  FaultPlan plan;
  plan.Arm({.nth = 2, .effect = FaultEffect::kStopBefore, .name = "the end of the first"});
  plan.Arm({.nth = 3, .error = ENOSPC});
  Ask(plan, kWriteA);
  EXPECT_EQ(plan.stopped_by(), "");
  Ask(plan, kSyncA);
  EXPECT_EQ(plan.stopped_by(), "the end of the first");
  Ask(plan, kRenameAToB);
  plan.Resume();
  EXPECT_FALSE(plan.stopped());
  EXPECT_EQ(plan.stopped_by(), "");
  EXPECT_EQ(ErrorOf(plan, kSyncB), ENOSPC);
  EXPECT_THAT(plan.trace(), ElementsAre(kWriteA, kSyncA, kSyncB));
}

TEST(FaultPlanTest, EveryOperationHasANameOfItsOwn) {
  std::set<absl::string_view> names;
  for (int op = 0; op <= static_cast<int>(FileOp::kChmod); ++op) {
    EXPECT_TRUE(names.insert(FileOpName(static_cast<FileOp>(op))).second) << op;
  }
}

}  // namespace
}  // namespace kubelet_cm
