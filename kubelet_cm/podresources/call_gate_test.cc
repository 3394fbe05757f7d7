#include "kubelet_cm/podresources/call_gate.h"

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"

namespace kubelet_cm::podresources {
namespace {

using ::testing::HasSubstr;

TEST(CallGateTest, CallsBeyondTheRateAreRejected) {
  FakeClock clock;
  CallGate gate(clock, {.per_second = 10, .burst = 2});
  for (int i = 0; i < 2; ++i) {
    EXPECT_OK(gate.Begin());
    gate.End();
  }
  EXPECT_THAT(gate.Begin(), StatusIs(absl::StatusCode::kResourceExhausted, "rejected by rate limit"));
  clock.Advance(absl::Milliseconds(100));
  EXPECT_OK(gate.Begin());
}

TEST(CallGateTest, CallsThatAreNotFinishedKeepOthersOut) {
  FakeClock clock;
  CallGate gate(clock, {.per_second = 0, .at_once = 2});
  EXPECT_OK(gate.Begin());
  EXPECT_OK(gate.Begin());
  EXPECT_THAT(gate.Begin(), StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("2 calls are not finished")));
  gate.End();
  EXPECT_OK(gate.Begin());
}

}  // namespace
}  // namespace kubelet_cm::podresources
