#include "dra/dra_state.h"

#include <memory>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// As the state file has it; no driver is known.
ClaimState RestoredClaim() {
  return {.claim_uid = "uid-claim",
          .claim_name = "claim",
          .claim_namespace = "ns",
          .pod_uids = {{"pod"}},
          .driver_state = {}};
}

class DraStateTest : public testing::Test {
 protected:
  CallPlan Reference(const std::string& pod) {
    const std::vector<AllocatedClaim> claims = {SampleClaim("claim")};
    MutexLock lock(&state_.mu);
    CallPlan plan = *state_.table.Reference(claims, pod);
    state_.BeginAttempt(plan.attempt);
    return plan;
  }
  uint64_t Newest() {
    MutexLock lock(&state_.mu);
    return state_.Newest();
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  DraState state_{threads_, {}, {}};
};

TEST_F(DraStateTest, AStateWithChangesHasANewNumberAndOneWithoutHasNot) {
  EXPECT_EQ(Newest(), 0u);
  Reference("pod");
  const uint64_t number = Newest();
  EXPECT_GT(number, 0u);
  const DraChanges taken = state_.TakeChanges();
  EXPECT_GE(taken.number, number);
  EXPECT_THAT(taken.claims, SizeIs(1));
  EXPECT_EQ(Newest(), taken.number);
  EXPECT_THAT(state_.TakeChanges().claims, IsEmpty());
}

TEST_F(DraStateTest, AfterAFailedWriteTheSameStateIsWantedAgain) {
  Reference("pod");
  const uint64_t failed = state_.TakeChanges().number;
  state_.WriteFailed();
  EXPECT_GT(Newest(), failed);
}

TEST_F(DraStateTest, WhoeverWaitsForAnAttemptGoesOnWhenItHasEnded) {
  const CallPlan first = Reference("pod-1");
  const CallPlan second = Reference("pod-2");
  ASSERT_THAT(second.waits, SizeIs(1));
  absl::Status outcome;
  {
    const auto waiter = threads_.Start("waiter", [&] {
      state_.WaitForEnd(second.waits[0].attempt);
      MutexLock lock(&state_.mu);
      outcome = state_.table.Outcome(second.waits[0]);
    });
    {
      MutexLock lock(&state_.mu);
      EXPECT_OK(state_.table.StorePrepared(first.calls.at("gpu")[0], {SampleDevice("dev")}));
    }
    state_.EndAttempt(first.attempt, absl::InternalError("not called"));
  }
  EXPECT_OK(outcome);
  state_.WaitForEnd(first.attempt);  // at once
}

TEST_F(DraStateTest, CallsThatNobodyMadeFailWithTheEndOfTheAttempt) {
  const CallPlan plan = Reference("pod-1");
  const CallPlan other = Reference("pod-2");
  state_.EndAttempt(plan.attempt, absl::AbortedError("gave up"));
  MutexLock lock(&state_.mu);
  EXPECT_EQ(state_.table.Outcome(other.waits[0]), absl::AbortedError("gave up"));
}

TEST_F(DraStateTest, WhatWasRestoredIsThere) {
  DraRestore restored{.format = DraFormat::k137};
  restored.claims.Set({RestoredClaim()});
  DraState state(threads_, restored, {});
  MutexLock lock(&state.mu);
  EXPECT_TRUE(state.table.claims().MightNeedToUnprepare("pod"));
  EXPECT_EQ(state.Newest(), 0u);
}

TEST_F(DraStateTest, WhatAKubeletOfBefore131WroteKeepsItsHandles) {
  LegacyClaim claim;
  claim.claim_uid = "uid";
  claim.claim_name = "claim";
  claim.claim_namespace = "ns";
  claim.pod_uids = {"pod"};
  claim.driver_name = "gpu";
  claim.resource_handles.Set({ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}});
  DraRestore restored{.format = DraFormat::k128};
  restored.legacy_claims.Set({claim});
  DraState state(threads_, restored, {});
  MutexLock lock(&state.mu);
  const CallPlan plan = state.table.BeginUnprepare("pod");
  ASSERT_THAT(plan.calls, SizeIs(1));
  ASSERT_THAT(plan.calls.at("gpu")[0].handles, SizeIs(1));
  EXPECT_EQ(plan.calls.at("gpu")[0].handles[0].data, "42");
}

// What drivers put under /var/run is gone after a boot.
TEST_F(DraStateTest, AfterABootNothingIsPreparedAndTheFileIsToSaySo) {
  ClaimState claim = RestoredClaim();
  claim.driver_state.emplace();
  (*claim.driver_state)["gpu"].devices.Set({SampleDevice("dev")});
  DraRestore restored{.format = DraFormat::k137};
  restored.claims.Set({claim});
  DraState state(threads_, restored, {.rebooted = true});
  const std::vector<AllocatedClaim> claims = {SampleClaim("claim")};
  MutexLock lock(&state.mu);
  EXPECT_GT(state.Newest(), 0u);
  const std::vector<ClaimChange> changes = state.table.TakeChanges();
  ASSERT_THAT(changes, SizeIs(1));
  EXPECT_TRUE(changes[0].state->driver_state->at("gpu").devices.is_nil());
  EXPECT_THAT(state.table.Reference(claims, "pod")->calls, SizeIs(1));
}

}  // namespace
}  // namespace kubelet_cm::dra
