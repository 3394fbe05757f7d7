#include "checkpointmanager/checkpoint_recovery.h"

#include <cerrno>

#include "checkpointmanager/checkpoint_error.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kSetAside[] = "state.corrupt-20261118T084205Z";

absl::StatusOr<bool> Accept(std::string_view bytes) {
  if (bytes == "newest") return true;
  if (bytes == "older") return false;
  return CorruptCheckpointError({.expected = 1, .actual = 2});
}

class CheckpointRecoveryTest : public ::testing::Test {
 protected:
  CheckpointRecoveryTest() {
    clock_.SetWall(absl::FromUnixSeconds(1794991325));
    manager_ = *CheckpointManager::New(disk_, random_, "/state");
  }

  absl::StatusOr<Recovery> Recover(RecoverPolicy policy = RecoverPolicy::kQuarantine) {
    return RecoverCheckpoint({.manager = *manager_, .file_system = faulty_, .clock = clock_, .policy = policy}, "state",
                             Accept);
  }

  FakeClock clock_;
  FakeFileSystem disk_;
  FaultPlan plan_;
  FaultyFileSystem faulty_{disk_, plan_};
  SeededRandom random_{1};
  std::unique_ptr<CheckpointManager> manager_;
};

TEST_F(CheckpointRecoveryTest, NoFileIsAFreshStart) {
  ASSERT_OK_AND_ASSIGN(const Recovery recovery, Recover());
  EXPECT_EQ(recovery.outcome, RecoveryOutcome::kFresh);
}

TEST_F(CheckpointRecoveryTest, TellsRestoredFromMigrated) {
  ASSERT_OK(manager_->Write("state", "newest"));
  ASSERT_OK_AND_ASSIGN(const Recovery restored, Recover());
  EXPECT_EQ(restored.outcome, RecoveryOutcome::kRestored);
  EXPECT_EQ(restored.bytes, "newest");
  ASSERT_OK(manager_->Write("state", "older"));
  ASSERT_OK_AND_ASSIGN(const Recovery migrated, Recover());
  EXPECT_EQ(migrated.outcome, RecoveryOutcome::kMigrated);
}

TEST_F(CheckpointRecoveryTest, SetsACorruptFileAsideAndSaysWhatWasWrong) {
  ASSERT_OK(manager_->Write("state", "torn"));
  ASSERT_OK_AND_ASSIGN(const Recovery recovery, Recover());
  EXPECT_EQ(recovery.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_THAT(recovery.error, StatusIs(absl::StatusCode::kDataLoss, "checkpoint is corrupted"));
  EXPECT_EQ(recovery.set_aside_as, kSetAside);
  EXPECT_THAT(manager_->Read(kSetAside), IsOkAndHolds("torn"));
  EXPECT_THAT(manager_->Read("state"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(CheckpointRecoveryTest, NeverOverwritesAFileThatWasSetAsideEarlier) {
  for (const char* bytes : {"first", "second", "third"}) {
    ASSERT_OK(manager_->Write("state", bytes));
    ASSERT_OK(Recover());
  }
  EXPECT_THAT(manager_->Read(kSetAside), IsOkAndHolds("first"));
  EXPECT_THAT(manager_->Read(std::string(kSetAside) + "-2"), IsOkAndHolds("second"));
  EXPECT_THAT(manager_->Read(std::string(kSetAside) + "-3"), IsOkAndHolds("third"));
}

TEST_F(CheckpointRecoveryTest, StrictRefusesAndChangesNothing) {
  ASSERT_OK(manager_->Write("state", "torn"));
  EXPECT_THAT(Recover(RecoverPolicy::kStrict).status(),
              StatusIs(absl::StatusCode::kDataLoss, "failed to get checkpoint state: checkpoint is corrupted"));
  EXPECT_THAT(manager_->Read("state"), IsOkAndHolds("torn"));
  EXPECT_THAT(manager_->List(), IsOkAndHolds(ElementsAre("state")));
}

TEST_F(CheckpointRecoveryTest, StrictKeepsTheSumsOfTheMismatch) {
  ASSERT_OK(manager_->Write("state", "torn"));
  EXPECT_EQ(MismatchOf(Recover(RecoverPolicy::kStrict).status()), (ChecksumMismatch{.expected = 1, .actual = 2}));
}

TEST_F(CheckpointRecoveryTest, ADiskThatFailsToReadRefusesTheStartAndLeavesTheFile) {
  ASSERT_OK(manager_->Write("state", "newest"));
  plan_.Arm({.ops = {FileOp::kRead}, .error = EIO});
  auto manager = *CheckpointManager::New(faulty_, random_, "/state");
  const RecoverySetting setting = {.manager = *manager, .file_system = faulty_, .clock = clock_};
  EXPECT_THAT(RecoverCheckpoint(setting, "state", Accept).status(),
              StatusIs(absl::StatusCode::kInternal,
                       AllOf(HasSubstr("state, which is left as it is"), HasSubstr("Input/output error"))));
  EXPECT_THAT(manager->List(), IsOkAndHolds(ElementsAre("state")));
  ASSERT_OK_AND_ASSIGN(const Recovery next_start, RecoverCheckpoint(setting, "state", Accept));
  EXPECT_EQ(next_start.bytes, "newest");
}

TEST_F(CheckpointRecoveryTest, AFolderInThePlaceOfTheFileIsSetAside) {
  ASSERT_OK(disk_.MakeFolders("/state/state", 0755));
  ASSERT_OK_AND_ASSIGN(const Recovery recovery, Recover());
  EXPECT_EQ(recovery.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre(kSetAside)));
}

TEST_F(CheckpointRecoveryTest, WantOfPermissionSaysNothingAboutTheFile) {
  ASSERT_OK(manager_->Write("state", "newest"));
  plan_.Arm({.ops = {FileOp::kOpen}, .path_pattern = "/state/state$", .error = EACCES});
  const auto manager = *CheckpointManager::New(faulty_, random_, "/state");
  EXPECT_THAT(
      RecoverCheckpoint({.manager = *manager, .file_system = faulty_, .clock = clock_}, "state", Accept).status(),
      StatusIs(absl::StatusCode::kPermissionDenied));
  EXPECT_THAT(manager_->Read("state"), IsOkAndHolds("newest"));
}

TEST_F(CheckpointRecoveryTest, SweepsWhatKilledWritersLeft) {
  ASSERT_OK(disk_.Open("/state/.123456", OpenMode::kCreateExclusive).status());
  ASSERT_OK(manager_->Write("state", "newest"));
  ASSERT_OK_AND_ASSIGN(const Recovery recovery, Recover());
  EXPECT_THAT(recovery.swept, ElementsAre(".123456"));
  EXPECT_THAT(disk_.List("/state"), IsOkAndHolds(ElementsAre("state")));
}

TEST_F(CheckpointRecoveryTest, RefusesBadKeys) {
  EXPECT_THAT(SetAside(disk_, "/state", "../x", clock_.WallNow()), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm
