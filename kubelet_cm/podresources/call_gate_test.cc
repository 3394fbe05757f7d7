#include "kubelet_cm/podresources/call_gate.h"

#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"

namespace kubelet_cm::podresources {
namespace {

TEST(CallGateTest, CallsBeyondTheRateAreRejected) {
  FakeClock clock;
  CallGate gate(clock, {.per_second = 10, .burst = 2});
  EXPECT_OK(gate.Admit());
  EXPECT_OK(gate.Admit());
  EXPECT_THAT(gate.Admit(), StatusIs(absl::StatusCode::kResourceExhausted, "rejected by rate limit"));
  clock.Advance(absl::Milliseconds(100));
  EXPECT_OK(gate.Admit());
}

TEST(CallGateTest, ARateOfZeroIsNone) {
  FakeClock clock;
  CallGate gate(clock, {.per_second = 0});
  for (int i = 0; i < 100; ++i) EXPECT_OK(gate.Admit());
}

}  // namespace
}  // namespace kubelet_cm::podresources
