#include "testing/harness/daemon_node.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::harness {
namespace {

using ::testing::SizeIs;

TEST(DaemonNodeTest, AKilledDaemonLeavesItsSocketsAndItsStateForTheNext) {
  DaemonNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.Admit("apiVersion: v1\nkind: Pod\nmetadata: {name: a, uid: a}\nspec: {containers: [{name: main}]}\n"));
  node.Kill();
  EXPECT_OK(node.machine.files.Lstat(node.paths().control_socket));
  ASSERT_OK(node.Start());
  EXPECT_THAT(node.Pods()->pods(), SizeIs(1));
}

TEST(DaemonNodeTest, AStoppedDaemonTakesItsSocketsAway) {
  DaemonNode node;
  ASSERT_OK(node.Start());
  ASSERT_OK(node.Shutdown());
  EXPECT_THAT(node.machine.files.Lstat(node.paths().control_socket), StatusIs(absl::StatusCode::kNotFound));
}

}  // namespace
}  // namespace kubelet_cm::harness
