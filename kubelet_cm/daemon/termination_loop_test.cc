// termination_loop_test_restart is the same with a kill and a start before the pod is to go.
#include "kubelet_cm/daemon/termination_loop.h"

#include "common/clock/real_clock.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/dra_node.h"
#include "testing/harness/pod_node.h"

namespace kubelet_cm {
namespace {

using harness::PodNode;
using harness::PodUsing;

TEST(TerminationLoopTest, AStuckPodGoesWhenItsDriverIsBackAndTheIntervalIsOver) {
  PodNode node;
  ASSERT_OK(node.Start());
  node.drivers.Add("gpu");
  node.AddClaim("claim", {"gpu"}, "a");
  ASSERT_OK(node.manager().AdmitPod(PodUsing("a", {"claim"}), PodSource::kApi));
  ASSERT_OK(node.manager().PreparePod({.uid = "a"}));
  ASSERT_OK(node.MaybeRestart());
  node.drivers.Leave("gpu");
  ASSERT_OK(node.manager().RemovePod({.uid = "a"}, false));
  const size_t failures = node.log.Count("Failed to unprepare dynamic resources");
  TerminationLoop loop(node.threads, node.manager(), absl::Seconds(10));
  ASSERT_TRUE(node.log.AwaitLine("Failed to unprepare dynamic resources", failures + 1));
  EXPECT_NE(node.pods().Find("a"), nullptr);
  node.drivers.ComeBack("gpu");
  // The loop may not be waiting yet, so the clock moves on until it does.
  const RealClock real;
  const MonotonicTime limit = real.MonotonicNow() + absl::Seconds(30);
  while (node.pods().Find("a") != nullptr && real.MonotonicNow() < limit) {
    node.clock.Advance(absl::Seconds(10));
    node.threads.Yield();
  }
  EXPECT_EQ(node.pods().Find("a"), nullptr);
}

}  // namespace
}  // namespace kubelet_cm
