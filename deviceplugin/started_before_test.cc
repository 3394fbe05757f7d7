#include "deviceplugin/started_before.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr bool kFollows = true;

const Pod kPod = {.uid = "pod",
                  .namespace_name = "default",
                  .name = "pod",
                  .containers = {{.name = "proxy", .kind = ContainerKind::kSidecar},
                                 {.name = "setup", .kind = ContainerKind::kInit},
                                 {.name = "main"},
                                 {.name = "other"}}};

NodeStart Running(const std::string& container, const std::string& uid = "pod") {
  return {.running = {{uid, container}}};
}

TEST(StartedBeforeTest, AContainerThatRunsHas) {
  EXPECT_TRUE(StartedBefore(Running("main"), kPod, "main", kFollows));
  EXPECT_TRUE(StartedBefore(Running("proxy"), kPod, "proxy", !kFollows));
  EXPECT_FALSE(StartedBefore(Running("main"), kPod, "other", kFollows));
  EXPECT_FALSE(StartedBefore(Running("main", "another pod"), kPod, "main", kFollows));
  EXPECT_FALSE(StartedBefore(Running("nobody"), kPod, "nobody", kFollows)) << "no container of the pod";
}

TEST(StartedBeforeTest, AnInitContainerHasIfOneAfterItRuns) {
  EXPECT_TRUE(StartedBefore(Running("other"), kPod, "setup", kFollows));
  EXPECT_FALSE(StartedBefore(Running("other"), kPod, "setup", !kFollows));
  EXPECT_FALSE(StartedBefore(Running("proxy"), kPod, "setup", kFollows)) << "it comes before";
  EXPECT_FALSE(StartedBefore(Running("main"), kPod, "proxy", kFollows)) << "a sidecar does not end";
}

TEST(StartedBeforeTest, NothingHasAfterAReboot) {
  NodeStart booted = Running("main");
  booted.rebooted = true;
  EXPECT_FALSE(StartedBefore(booted, kPod, "main", kFollows));
  EXPECT_FALSE(StartedBefore(booted, kPod, "setup", kFollows));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
