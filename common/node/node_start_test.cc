#include "common/node/node_start.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(NodeStartTest, OnlyTheContainersThatWereFoundAreRunning) {
  const NodeStart start{.running = {{"pod", "main"}}};
  EXPECT_TRUE(start.WasRunning("pod", "main"));
  EXPECT_FALSE(start.WasRunning("pod", "other"));
  EXPECT_FALSE(start.WasRunning("other", "main"));
}

TEST(NodeStartTest, NothingRunsOnAfterAReboot) {
  const NodeStart start{.running = {{"pod", "main"}}, .rebooted = true};
  EXPECT_FALSE(start.WasRunning("pod", "main"));
}

}  // namespace
}  // namespace kubelet_cm
