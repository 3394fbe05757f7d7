#include "dra/device_trust.h"

#include <cerrno>
#include <memory>
#include <string>

#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

class DeviceTrustTest : public ::testing::Test {
 protected:
  FakeFileSystem disk_;
  SeededRandom random_{1};
  const std::unique_ptr<CheckpointManager> files_ = *CheckpointManager::New(disk_, random_, "/node");
};

TEST_F(DeviceTrustTest, AStateOfNobodyKnowsWhomIsNotTrusted) {
  DeviceTrust trust(*files_);
  EXPECT_THAT(trust.Start(true), IsOkAndHolds(false));
  EXPECT_FALSE(trust.given());
}

TEST_F(DeviceTrustTest, WhatWasGivenIsThereAfterAPowerCut) {
  EXPECT_OK(DeviceTrust(*files_).Give());
  ASSERT_OK_AND_ASSIGN(const auto disks, disk_.AfterPowerCut());
  for (const auto& disk : disks) {
    const auto files = *CheckpointManager::New(*disk, random_, "/node");
    DeviceTrust trust(*files);
    EXPECT_THAT(trust.Start(true), IsOkAndHolds(true));
    EXPECT_TRUE(trust.given());
  }
}

TEST_F(DeviceTrustTest, AfterSomebodyElseItIsGoneForAllLaterStartsToo) {
  EXPECT_OK(DeviceTrust(*files_).Give());
  EXPECT_THAT(DeviceTrust(*files_).Start(false), IsOkAndHolds(false));
  ASSERT_OK_AND_ASSIGN(const auto disks, disk_.AfterPowerCut());
  for (const auto& disk : disks) {
    const auto files = *CheckpointManager::New(*disk, random_, "/node");
    EXPECT_THAT(DeviceTrust(*files).Start(true), IsOkAndHolds(false));
  }
}

TEST_F(DeviceTrustTest, AFileWithSomethingElseInItVouchesForNothing) {
  EXPECT_OK(files_->Write(kDeviceTrustKey, ""));
  EXPECT_THAT(DeviceTrust(*files_).Start(true), IsOkAndHolds(false));
  EXPECT_THAT(files_->List(), IsOkAndHolds(testing::IsEmpty()));
}

TEST_F(DeviceTrustTest, WhatCouldNotBeWrittenIsWrittenTheNextTime) {
  FaultPlan faults;
  FaultyFileSystem faulty(disk_, faults);
  const auto files = *CheckpointManager::New(faulty, random_, "/node");
  DeviceTrust trust(*files);
  faults.Arm({.ops = {FileOp::kWrite}, .error = ENOSPC});
  EXPECT_FALSE(trust.Give().ok());
  EXPECT_FALSE(trust.given());
  EXPECT_OK(trust.Give());
  EXPECT_THAT(DeviceTrust(*files).Start(true), IsOkAndHolds(true));
}

}  // namespace
}  // namespace kubelet_cm::dra
