#include "kubelet_cm/life/boot_record.h"

#include "common/filesystem/fake_file_system.h"
#include "common/random/fake_random.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::life {
namespace {

class BootRecordTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_OK(files_.MakeFolders("/state", 0750)); }

  absl::Status Record(const std::string& id) { return RecordBoot(files_, random_, "/state", id); }
  absl::StatusOr<bool> Rebooted(const std::string& id) { return RebootedSince(files_, "/state", id); }

  FakeFileSystem files_;
  FakeRandom random_{1, 2, 3};
};

TEST_F(BootRecordTest, TheFirstRunKnowsOfNoReboot) { EXPECT_THAT(Rebooted("a"), IsOkAndHolds(false)); }

TEST_F(BootRecordTest, AnotherIdIsAReboot) {
  ASSERT_OK(Record("a"));
  EXPECT_THAT(Rebooted("a"), IsOkAndHolds(false));
  EXPECT_THAT(Rebooted("b"), IsOkAndHolds(true));
}

TEST_F(BootRecordTest, AStartThatWasNotRecordedIsStillTheFirstAfterTheBoot) {
  ASSERT_OK(Record("a"));
  EXPECT_THAT(Rebooted("b"), IsOkAndHolds(true));
  EXPECT_THAT(Rebooted("b"), IsOkAndHolds(true));
  ASSERT_OK(Record("b"));
  EXPECT_THAT(Rebooted("b"), IsOkAndHolds(false));
}

TEST_F(BootRecordTest, TheRecordSurvivesAPowerCut) {
  ASSERT_OK(files_.SyncFolder("/"));
  ASSERT_OK(Record("a"));
  ASSERT_OK_AND_ASSIGN(const auto disks, files_.AfterPowerCut());
  ASSERT_FALSE(disks.empty());
  for (const auto& disk : disks) EXPECT_THAT(RebootedSince(*disk, "/state", "b"), IsOkAndHolds(true));
}

TEST_F(BootRecordTest, WhatCannotBeReadIsAnError) {
  ASSERT_OK(files_.MakeFolders("/state/kubelet_cm_boot_id", 0750));
  EXPECT_THAT(Rebooted("a"), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kubelet_cm::life
