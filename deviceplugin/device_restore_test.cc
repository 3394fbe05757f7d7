#include "deviceplugin/device_restore.h"

#include <memory>

#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class DeviceRestoreTest : public testing::Test {
 protected:
  absl::StatusOr<DeviceRestore> Restore(std::string_view kubelet = "latest",
                                        RecoverPolicy policy = RecoverPolicy::kQuarantine) {
    return RestoreDevices({.manager = *folder_.manager, .file_system = folder_.disk, .clock = clock_, .policy = policy},
                          **ParsePersonality(kubelet), log_);
  }
  void WriteFile(std::string_view bytes) { ASSERT_OK(folder_.manager->Write(kDeviceCheckpointKey, bytes)); }

  FakeClock clock_;
  harness::StateFolder folder_;
  CapturingLogger log_;
};

TEST_F(DeviceRestoreTest, NoFileIsAFreshStart) {
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kFresh);
  EXPECT_EQ(restore.content, DeviceContent());
}

TEST_F(DeviceRestoreTest, TheNewestFormatIsRestoredWithItsBytes) {
  const std::string file = EncodeDevices(SampleContent(3), DeviceLayout::kV2);
  WriteFile(file);
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kRestored);
  EXPECT_EQ(restore.format, DeviceFormat::kV2);
  EXPECT_EQ(restore.content, SampleContent(3));
  EXPECT_EQ(restore.bytes, file);
}

class EveryFormatTest : public DeviceRestoreTest, public testing::WithParamInterface<DeviceFormat> {};

TEST_P(EveryFormatTest, AnyFormatThereWasIsReadByLatest) {
  WriteFile(EncodeDevices(SampleContent(3), LayoutOf(GetParam())));
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore());
  EXPECT_EQ(restore.format, GetParam());
  EXPECT_EQ(restore.outcome, GetParam() == DeviceFormat::kV2 ? RecoveryOutcome::kRestored : RecoveryOutcome::kMigrated);
  EXPECT_THAT(restore.content.entries, testing::Optional(testing::Not(IsEmpty())));
}

INSTANTIATE_TEST_SUITE_P(Formats, EveryFormatTest,
                         testing::Values(DeviceFormat::kV0Of18, DeviceFormat::kV0Of19, DeviceFormat::kV1,
                                         DeviceFormat::kV2),
                         [](const auto& format) { return std::string("Format") + std::to_string(format.index); });

// k/k#102880: the upgrade from 1.19 lost every allocation.
TEST_F(DeviceRestoreTest, Kubelet120Point0RestoresNothingOfAV1FileAndForgetsItsResources) {
  WriteFile(EncodeDevices(SampleContent(3), DeviceLayout::kV1));
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore("1.20.0"));
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_EQ(restore.content, DeviceContent());
  EXPECT_THAT(restore.lost_resources, IsEmpty());
}

TEST_F(DeviceRestoreTest, Kubelet120Point15MigratesAV1File) {
  WriteFile(EncodeDevices(SampleContent(3), DeviceLayout::kV1));
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore("1.20.15"));
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kMigrated);
  EXPECT_THAT(restore.content.entries, testing::Optional(SizeIs(3)));
}

TEST_F(DeviceRestoreTest, ADamagedFileIsSetAsideAndItsResourcesAreRemembered) {
  std::string file = EncodeDevices(SampleContent(3), DeviceLayout::kV2);
  const std::string resource = SampleContent(3).entries->front().resource_name;
  WriteFile(file.substr(0, file.size() - 20));
  ASSERT_OK_AND_ASSIGN(const DeviceRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_EQ(restore.content, DeviceContent());
  EXPECT_THAT(restore.lost_resources, ElementsAre(resource));
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath),
              ElementsAre(HasSubstr("kubelet_internal_checkpoint.corrupt-")));
  EXPECT_THAT(log_.lines(), ElementsAre(IsLogLine(Severity::kError,
                                                  "Continue after failing to read checkpoint file. Device allocation "
                                                  "info may NOT be up-to-date")));
}

TEST_F(DeviceRestoreTest, AStrictStartFailsOnADamagedFileAndLeavesIt) {
  WriteFile("{");
  EXPECT_FALSE(Restore("latest", RecoverPolicy::kStrict).ok());
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), ElementsAre("kubelet_internal_checkpoint"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
