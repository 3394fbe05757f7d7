#include "dra/health/health_restore.h"

#include <cerrno>
#include <memory>

#include "checkpointmanager/checkpoint_manager.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/filesystem/file_functions.h"
#include "common/log/capturing_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kFailed[] = "Failed to load health checkpoint, proceeding with empty cache";

class HealthRestoreTest : public ::testing::Test {
 protected:
  HealthRestoreTest() : manager_(*CheckpointManager::New(files_, random_, "/state")) {}

  HealthRestore Restore() {
    return RestoreHealth(
        {.manager = *manager_, .file_system = files_, .clock = clock_, .policy = RecoverPolicy::kStrict}, log_);
  }

  FakeClock clock_;
  FakeFileSystem disk_;
  FaultPlan faults_;
  FaultyFileSystem files_{disk_, faults_};
  SeededRandom random_{1};
  CapturingLogger log_;
  std::unique_ptr<CheckpointManager> manager_;
};

TEST_F(HealthRestoreTest, NoFileIsAFreshStart) {
  const HealthRestore restore = Restore();
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kFresh);
  EXPECT_EQ(restore.state, std::nullopt);
  EXPECT_EQ(restore.bytes, std::nullopt);
  EXPECT_THAT(log_.lines(), IsEmpty());
}

TEST_F(HealthRestoreTest, WhatWasSavedIsRestoredWithItsBytes) {
  const std::string file = R"({"d":{"Devices":{"p/a":{"PoolName":"p","DeviceName":"a","Health":"Healthy"}}}})";
  ASSERT_OK(manager_->Write(kHealthStateKey, file));
  const HealthRestore restore = Restore();
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kRestored);
  EXPECT_EQ(restore.state->at("d").devices->at("p/a").health, "Healthy");
  EXPECT_EQ(restore.bytes, file);
}

TEST_F(HealthRestoreTest, AFileThatCannotBeReadIsSetAsideWhateverThePolicy) {
  ASSERT_OK(manager_->Write(kHealthStateKey, R"({"d":{"Devices":{"p/a":{"PoolName":"p"},"p/b":7}}})"));
  const HealthRestore restore = Restore();
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_EQ(restore.state, std::nullopt);
  EXPECT_EQ(restore.bytes, std::nullopt);
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(IsLogLine(Severity::kError, kFailed), HasLogError(HasSubstr("state.DeviceHealth")),
                                HasLogField("setAsideAs", "dra_health_state.corrupt-20260101T000000Z"))));
  EXPECT_OK(ReadFile(disk_, "/state/dra_health_state.corrupt-20260101T000000Z", 1 << 10).status());
}

TEST_F(HealthRestoreTest, TroubleWithTheDiskIsNoReasonNotToStart) {
  ASSERT_OK(manager_->Write(kHealthStateKey, "{}"));
  faults_.Arm({.ops = {FileOp::kOpen}, .error = EACCES});
  EXPECT_EQ(Restore().state, std::nullopt);
  EXPECT_THAT(log_.lines(), ElementsAre(IsLogLine(Severity::kError, kFailed)));
}

TEST_F(HealthRestoreTest, EveryKubeletWritesItsForm) {
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.34")), HealthFormat::k134);
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.36")), HealthFormat::k136);
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.37")), HealthFormat::k136);
  EXPECT_EQ(HealthFormatOf(LatestPersonality()), HealthFormat::k136);
}

}  // namespace
}  // namespace kubelet_cm::dra
