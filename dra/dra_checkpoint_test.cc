#include "dra/dra_checkpoint.h"

#include <cerrno>
#include <memory>
#include <utility>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fault_plan.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/dra_writing.h"
#include "dra/checkpoint/legacy_codec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {
namespace {

ClaimState Claim(const std::string& name) {
  ClaimState claim{.claim_uid = name + "-uid",
                   .claim_name = name,
                   .claim_namespace = "ns",
                   .pod_uids = {{"pod"}},
                   .driver_state = {}};
  claim.driver_state.emplace();
  (*claim.driver_state)["gpu"];
  return claim;
}

ClaimList Claims(std::vector<ClaimState> states) {
  ClaimList claims;
  claims.Set(std::move(states));
  return claims;
}

// Changes that a test hands over.
class GivenChanges : public DraChangeSource {
 public:
  DraChanges TakeChanges() override {
    ++taken;
    return std::exchange(next, {.number = next.number});
  }
  uint64_t TakeLegacyClaims(LegacyClaimList* claims) override {
    *claims = legacy;
    return next.number;
  }
  void WriteFailed() override { ++failures; }

  void Set(const std::string& name) {
    next.claims.push_back({.key = "ns/" + name, .state = Claim(name)});
    ++next.number;
  }
  void Remove(const std::string& name) {
    next.claims.push_back({.key = "ns/" + name});
    ++next.number;
  }

  DraChanges next;
  LegacyClaimList legacy;
  int failures = 0;
  int taken = 0;
};

class DraCheckpointTest : public testing::Test {
 protected:
  void Open(std::string_view kubelet, const DraRestore& restored = {}) {
    checkpoint_ =
        std::make_unique<DraCheckpoint>(*folder_.manager, threads_, changes_, **ParsePersonality(kubelet), restored);
  }
  std::string File() { return folder_.File("dra_manager_state"); }

  FakeClock clock_;
  RealThreads threads_{clock_};
  harness::StateFolder folder_;
  GivenChanges changes_;
  std::unique_ptr<DraCheckpoint> checkpoint_;
};

TEST_F(DraCheckpointTest, ChangesAreWrittenOnTopOfWhatWasRestored) {
  Open("latest", {.format = DraFormat::k137, .claims = Claims({Claim("a"), Claim("b")})});
  changes_.Set("c");
  changes_.Remove("a");
  ASSERT_OK(checkpoint_->WaitDurable(2));
  EXPECT_EQ(File(), WriteDraCheckpoint(Claims({Claim("b"), Claim("c")}), DraFormat::k137).bytes);
}

TEST_F(DraCheckpointTest, AnEmulatedKubeletWritesItsOwnFormat) {
  Open("1.31");
  changes_.Set("a");
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(File(), WriteDraCheckpoint(Claims({Claim("a")}), DraFormat::k131).bytes);
}

TEST_F(DraCheckpointTest, OneOfBefore131WritesAllClaimsInItsForm) {
  Open("1.28");
  changes_.legacy = ToLegacyClaims(Claims({Claim("a")}), DraFormat::k128).claims;
  changes_.Set("a");
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(File(), EncodeLegacy(changes_.legacy, DraFormat::k128, ControlEscapes::kNumeric));
}

TEST_F(DraCheckpointTest, OneWithoutSuchAFileWritesNothingAndKeepsNoChanges) {
  Open("1.26");
  changes_.Set("a");
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_THAT(*folder_.disk.List(harness::StateFolder::kPath), testing::IsEmpty());
  EXPECT_EQ(changes_.taken, 1);
}

TEST_F(DraCheckpointTest, WhatIsOnTheDiskAlreadyIsNotWritten) {
  const std::string bytes = WriteDraCheckpoint(Claims({Claim("a")}), DraFormat::k137).bytes;
  Open("latest", {.format = DraFormat::k137, .claims = Claims({Claim("a")}), .bytes = bytes});
  changes_.Set("a");
  ASSERT_OK(checkpoint_->WaitDurable(1));
  EXPECT_EQ(checkpoint_->counts().writes, 0u);
  EXPECT_EQ(checkpoint_->counts().unchanged, 1u);
}

TEST_F(DraCheckpointTest, AWriteThatFailsIsToldAndMadeUpForByTheNext) {
  Open("latest");
  changes_.Set("a");
  folder_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  EXPECT_FALSE(checkpoint_->WaitDurable(1).ok());
  EXPECT_EQ(changes_.failures, 1);
  changes_.Set("b");
  ASSERT_OK(checkpoint_->WaitDurable(2));
  EXPECT_EQ(File(), WriteDraCheckpoint(Claims({Claim("a"), Claim("b")}), DraFormat::k137).bytes);
}

}  // namespace
}  // namespace kubelet_cm::dra
