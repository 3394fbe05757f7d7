#include "dra/health/health_restore.h"

#include <cerrno>
#include <memory>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fault_plan.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kFailed[] = "Failed to load health checkpoint, proceeding with empty cache";

class HealthRestoreTest : public ::testing::Test {
 protected:
  HealthRestore Restore() {
    return RestoreHealth(
        {.manager = *folder_.manager, .file_system = folder_.files, .clock = clock_, .policy = RecoverPolicy::kStrict},
        log_);
  }

  FakeClock clock_;
  harness::StateFolder folder_;
  CapturingLogger log_;
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
  ASSERT_OK(folder_.manager->Write(kHealthStateKey, file));
  const HealthRestore restore = Restore();
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kRestored);
  EXPECT_EQ(restore.state->at("d").devices->at("p/a").health, "Healthy");
  EXPECT_EQ(restore.bytes, file);
}

TEST_F(HealthRestoreTest, AFileThatCannotBeReadIsSetAsideWhateverThePolicy) {
  ASSERT_OK(folder_.manager->Write(kHealthStateKey, R"({"d":{"Devices":{"p/a":{"PoolName":"p"},"p/b":7}}})"));
  const HealthRestore restore = Restore();
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_EQ(restore.state, std::nullopt);
  EXPECT_EQ(restore.bytes, std::nullopt);
  EXPECT_THAT(log_.lines(),
              ElementsAre(AllOf(IsLogLine(Severity::kError, kFailed), HasLogError(HasSubstr("state.DeviceHealth")),
                                HasLogField("setAsideAs", "dra_health_state.corrupt-20260101T000000Z"))));
  EXPECT_THAT(folder_.File("dra_health_state.corrupt-20260101T000000Z"), Not(IsEmpty()));
}

TEST_F(HealthRestoreTest, TroubleWithTheDiskIsNoReasonNotToStart) {
  ASSERT_OK(folder_.manager->Write(kHealthStateKey, "{}"));
  folder_.faults.Arm({.ops = {FileOp::kOpen}, .error = EACCES});
  EXPECT_EQ(Restore().state, std::nullopt);
  EXPECT_THAT(log_.lines(), ElementsAre(IsLogLine(Severity::kError, kFailed)));
}

TEST_F(HealthRestoreTest, EveryKubeletWritesItsForm) {
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.34")), HealthFormat::k134);
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.35")), HealthFormat::k135);
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.36")), HealthFormat::k136);
  EXPECT_EQ(HealthFormatOf(**ParsePersonality("1.37")), HealthFormat::k136);
  EXPECT_EQ(HealthFormatOf(LatestPersonality()), HealthFormat::k136);
}

}  // namespace
}  // namespace kubelet_cm::dra
