// Which containers of a pod share devices: init containers leave theirs to those after them, sidecars and app
// containers keep them.
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginAct;
using fakes::PluginMethod;
using harness::DeviceNode;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kResource[] = "example.com/device";

Container Wants(std::string name, ContainerKind kind, int64_t count) {
  return {.name = std::move(name), .kind = kind, .limits = {{kResource, count}}};
}
Container Init(std::string name, int64_t count = 1) { return Wants(std::move(name), ContainerKind::kInit, count); }
Container Sidecar(std::string name, int64_t count = 1) {
  return Wants(std::move(name), ContainerKind::kSidecar, count);
}
Container App(std::string name, int64_t count = 1) { return Wants(std::move(name), ContainerKind::kApp, count); }

class DeviceReuseTest : public testing::Test {
 protected:
  DeviceReuseTest() { EXPECT_OK(node_.Start()); }
  void Run(int devices) {
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", devices)}));
  }
  absl::Status Admit(std::vector<Container> containers) {
    return node_.Admit({.uid = "pod", .namespace_name = "default", .name = "pod", .containers = std::move(containers)});
  }
  std::vector<std::string> Devices(const std::string& container) { return node_.Devices("pod", kResource, container); }
  int64_t Taken() {
    MutexLock lock(&node_.manager().state().mu);
    return node_.manager().state().ledger.TakenCount(kResource);
  }

  DeviceNode node_;
};

TEST_F(DeviceReuseTest, AnAppContainerTakesOverWhatAnInitContainerHad) {
  Run(1);
  ASSERT_OK(Admit({Init("init"), App("app")}));
  EXPECT_THAT(Devices("init"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-0"));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kAllocate), 2);
}

TEST_F(DeviceReuseTest, InitContainersPassTheirDevicesOn) {
  Run(2);
  ASSERT_OK(Admit({Init("first", 2), Init("second", 1), App("app", 2)}));
  EXPECT_THAT(Devices("second"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-0", "dev-1"));
}

TEST_F(DeviceReuseTest, WhatIsMissingComesFromTheFreeOnes) {
  Run(3);
  ASSERT_OK(Admit({Init("init", 1), App("app", 3)}));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-0", "dev-1", "dev-2"));
}

// Whatever their names: all init containers come before the app containers.
TEST_F(DeviceReuseTest, ThePluginIsAskedForTheContainersInTheirOrder) {
  Run(4);
  ASSERT_OK(Admit({Sidecar("z", 1), Init("y", 2), App("x", 3), App("w", 0)}));
  std::vector<size_t> sizes;
  for (const fakes::PluginCall& call : node_.plugin("a.sock").script().Calls()) {
    if (call.method == PluginMethod::kAllocate) sizes.push_back(call.ids.size());
  }
  EXPECT_THAT(sizes, ElementsAre(1u, 2u, 3u));
}

TEST_F(DeviceReuseTest, AppContainersDoNotShare) {
  Run(2);
  ASSERT_OK(Admit({Init("init", 2), App("one"), App("two")}));
  EXPECT_THAT(Devices("one"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("two"), ElementsAre("dev-1"));
}

TEST_F(DeviceReuseTest, ASidecarKeepsItsDeviceToItself) {  // DP-10
  Run(2);
  ASSERT_OK(Admit({Sidecar("sidecar"), App("app")}));
  EXPECT_THAT(Devices("sidecar"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-1"));
}

TEST_F(DeviceReuseTest, NobodyGetsASidecarsDevice) {  // k/k: fixed in 1.29
  Run(1);
  EXPECT_THAT(Admit({Sidecar("sidecar"), App("app")}).message(),
              "requested number of devices unavailable for example.com/device. Requested: 1, Available: 0");
  EXPECT_EQ(Taken(), 0);
}

TEST_F(DeviceReuseTest, ASidecarTakesOverFromAnInitContainerAndThenKeeps) {
  Run(2);
  ASSERT_OK(Admit({Init("init"), Sidecar("sidecar"), App("app")}));
  EXPECT_THAT(Devices("sidecar"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-1"));
}

TEST_F(DeviceReuseTest, OtherPodsDoNotGetWhatAnInitContainerHas) {
  Run(1);
  ASSERT_OK(Admit({Init("init")}));
  EXPECT_THAT(node_.Admit(harness::PodWith("other", {{kResource, 1}})), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST_F(DeviceReuseTest, AFailureOfTheAppContainerReleasesTheInitContainersDevices) {
  Run(1);
  node_.plugin("a.sock").script().At(PluginMethod::kAllocate, 2, {.act = PluginAct::kFail});
  EXPECT_FALSE(Admit({Init("init"), App("app")}).ok());
  EXPECT_EQ(Taken(), 0);
  EXPECT_THAT(Devices("init"), IsEmpty());
}

TEST_F(DeviceReuseTest, AfterARestartTheSamePodIsAdmittedWithTheSameDevices) {
  Run(2);
  const std::vector<Container> containers = {Init("init"), Sidecar("sidecar"), App("app")};
  ASSERT_OK(Admit(containers));
  node_.Kill();
  ASSERT_OK(node_.Start());
  const size_t lists = node_.log.Count("Processed device updates for resource");
  ASSERT_OK(node_.Register(kResource, "a.sock"));
  ASSERT_TRUE(node_.log.AwaitLine("Processed device updates for resource", lists + 1));
  ASSERT_OK(Admit(containers));
  EXPECT_THAT(Devices("sidecar"), ElementsAre("dev-0"));
  EXPECT_THAT(Devices("app"), ElementsAre("dev-1"));
  EXPECT_EQ(node_.plugin("a.sock").script().CallCount(PluginMethod::kAllocate), 3);
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
