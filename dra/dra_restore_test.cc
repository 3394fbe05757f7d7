#include "dra/dra_restore.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "dra/checkpoint/dra_writing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

ClaimList SampleClaims() {
  ClaimState claim{
      .claim_uid = "uid", .claim_name = "claim", .claim_namespace = "ns", .pod_uids = {{"pod"}}, .driver_state = {}};
  claim.driver_state.emplace();
  ClaimDevice device;
  device.cdi_device_ids.Set({"vendor.com/class=dev"});
  (*claim.driver_state)["gpu"].devices.Set({device});
  ClaimList claims;
  claims.Set({claim});
  return claims;
}

class DraRestoreTest : public testing::Test {
 protected:
  absl::StatusOr<DraRestore> Restore(std::string_view kubelet = "latest",
                                     RecoverPolicy policy = RecoverPolicy::kQuarantine) {
    return RestoreClaims({.manager = *folder_.manager, .file_system = folder_.disk, .clock = clock_, .policy = policy},
                         **ParsePersonality(kubelet), log_);
  }
  std::string Refusal(std::string_view kubelet) { return std::string(Restore(kubelet).status().message()); }
  void WriteFile(std::string_view bytes) { ASSERT_OK(folder_.manager->Write(kDraCheckpointKey, bytes)); }
  static std::string BytesIn(DraFormat format) { return WriteDraCheckpoint(SampleClaims(), format).bytes; }
  static std::string Damaged() {
    std::string bytes = BytesIn(DraFormat::k137);
    bytes[bytes.size() - 2] = bytes[bytes.size() - 2] == '1' ? '2' : '1';  // of the checksum
    return bytes;
  }

  FakeClock clock_;
  harness::StateFolder folder_;
  CapturingLogger log_;
};

TEST_F(DraRestoreTest, NoFileIsAFreshStart) {
  ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kFresh);
  EXPECT_EQ(restore.format, std::nullopt);
}

TEST_F(DraRestoreTest, TheNewestFormatIsRestoredWithItsBytes) {
  WriteFile(BytesIn(DraFormat::k137));
  ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kRestored);
  EXPECT_EQ(restore.claims, SampleClaims());
  EXPECT_EQ(restore.bytes, BytesIn(DraFormat::k137));
}

TEST_F(DraRestoreTest, AnyFormatThereWasIsReadByLatest) {
  for (const DraFormat format : {DraFormat::k127, DraFormat::k128, DraFormat::k130}) {
    WriteFile(BytesIn(format));
    ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore());
    EXPECT_EQ(restore.outcome, RecoveryOutcome::kMigrated);
    EXPECT_THAT(restore.claims, SizeIs(1));
    EXPECT_THAT(restore.legacy_claims, SizeIs(1));
  }
  for (const DraFormat format : {DraFormat::k131, DraFormat::k135}) {
    WriteFile(BytesIn(format));
    ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore());
    EXPECT_EQ(restore.claims, SampleClaims());
  }
}

TEST_F(DraRestoreTest, ADamagedFileIsSetAsideAndItsClaimsAreNamed) {
  WriteFile(Damaged());
  ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore());
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kCorrupt);
  EXPECT_THAT(restore.claims, IsEmpty());
  EXPECT_THAT(restore.lost_claims, ElementsAre("ns/claim"));
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), ElementsAre(StartsWith("dra_manager_state.corrupt-")));
  EXPECT_THAT(log_.lines(), Contains(HasLogField("claims", R"(["ns/claim"])")));
}

TEST_F(DraRestoreTest, AStrictStartFailsOnADamagedFileAndLeavesIt) {
  WriteFile(Damaged());
  EXPECT_THAT(Restore("latest", RecoverPolicy::kStrict).status().message(), HasSubstr("create ResourceClaim cache: "));
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), ElementsAre("dra_manager_state"));
}

TEST_F(DraRestoreTest, AnEmulatedKubeletRefusesToStartInItsOwnWords) {
  WriteFile(Damaged());
  EXPECT_THAT(Refusal("1.36"), AllOf(StartsWith("create ResourceClaim cache: GetOrCreate() on checkpoint state: "),
                                     HasSubstr("failed to get checkpoint dra_manager_state: ")));
  EXPECT_THAT(Refusal("1.30"),
              StartsWith("failed to create claimInfo cache: error calling GetOrCreate() on checkpoint state: "));
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), ElementsAre("dra_manager_state"));
}

TEST_F(DraRestoreTest, AKubeletOfBefore131ReadsItsOwnFormAndNotANewerOne) {
  WriteFile(BytesIn(DraFormat::k128));
  ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore("1.28"));
  EXPECT_EQ(restore.format, DraFormat::k128);
  EXPECT_THAT(restore.legacy_claims, SizeIs(1));
  WriteFile(BytesIn(DraFormat::k131));
  EXPECT_FALSE(Restore("1.28").ok());
}

TEST_F(DraRestoreTest, AKubeletWithoutSuchAFileDoesNotLookAtIt) {
  WriteFile(Damaged());
  ASSERT_OK_AND_ASSIGN(const DraRestore restore, Restore("1.26"));
  EXPECT_EQ(restore.outcome, RecoveryOutcome::kFresh);
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), ElementsAre("dra_manager_state"));
}

}  // namespace
}  // namespace kubelet_cm::dra
