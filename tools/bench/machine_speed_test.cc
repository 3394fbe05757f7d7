#include "tools/bench/machine_speed.h"

#include <cerrno>

#include "common/clock/real_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/filesystem/fault_plan.h"
#include "common/filesystem/faulty_file_system.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Gt;
using ::testing::IsEmpty;

TEST(MachineSpeedTest, MeasuresBothAndLeavesNothingBehind) {
  RealClock clock;
  FakeFileSystem disk;
  ASSERT_OK(disk.MakeFolders("/tmp", 0755));
  ASSERT_OK_AND_ASSIGN(const MachineSpeed speed, MeasureMachine(clock, disk, "/tmp"));
  EXPECT_THAT(speed.copy_gigabytes_per_second, Gt(0));
  EXPECT_THAT(speed.fsync, Gt(absl::ZeroDuration()));
  EXPECT_THAT(disk.List("/tmp"), IsOkAndHolds(IsEmpty()));
}

TEST(MachineSpeedTest, AFailedSyncIsAnErrorAndLeavesNothingBehindEither) {
  RealClock clock;
  FakeFileSystem disk;
  ASSERT_OK(disk.MakeFolders("/tmp", 0755));
  FaultPlan plan;
  plan.Arm({.ops = {FileOp::kSyncFile}, .nth = 3, .error = EIO});
  FaultyFileSystem faulty(disk, plan);
  EXPECT_FALSE(MeasureMachine(clock, faulty, "/tmp").ok());
  EXPECT_THAT(disk.List("/tmp"), IsOkAndHolds(IsEmpty()));
}

TEST(MachineSpeedTest, ReadsAsASentence) {
  EXPECT_EQ((MachineSpeed{.copy_gigabytes_per_second = 11.25, .fsync = absl::Microseconds(840)}).ToString(),
            "memcpy 11.2 GB/s, fsync 0.840 ms");
}

}  // namespace
}  // namespace kubelet_cm
