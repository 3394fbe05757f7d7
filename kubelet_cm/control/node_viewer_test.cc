// What the control API shows of a node with a device plugin, a driver and a pod that uses both. In
// node_viewer_test_restart the daemon was killed and has started again when it is looked at.
#include "kubelet_cm/control/node_viewer.h"

#include <memory>
#include <optional>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/daemon_node.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm {
namespace {

using fakes::FakeDevicePlugin;
using fakes::FakeDraDriver;
using harness::DaemonNode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kPod[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: web, uid: web-uid}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: claim}]
  containers:
  - name: main
    resources: {limits: {example.com/fake: 1}, claims: [{name: gpu}]}
)";
constexpr char kClaim[] = R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim, namespace: default, uid: claim-uid}
status:
  reservedFor: [{resource: pods, name: web, uid: web-uid}]
  allocation: {devices: {results: [{request: gpu, driver: fake.example.com, pool: pool, device: dev-0}]}}
)";

class NodeViewerTest : public ::testing::Test {
 protected:
  NodeViewerTest() {
    node_.options.claim_manifest_path = node_.PathOf("claims");
    node_.WriteFile("claims/claim.yaml", kClaim);
    EXPECT_OK(node_.Start());
    plugin_.emplace(FakeDevicePlugin::Dependencies{node_.machine.threads, node_.machine.files},
                    FakeDevicePlugin::Options{.folder = node_.paths().device_plugins});
    EXPECT_OK(plugin_->Start());
    EXPECT_OK(plugin_->Register(node_.paths().registration_socket));
    EXPECT_TRUE(node_.AwaitAllocatable("example.com/fake", 2));
    driver_.emplace(
        FakeDraDriver::Dependencies{node_.machine.threads, node_.machine.files},
        FakeDraDriver::Options{.folder = node_.paths().plugins, .registration_folder = node_.paths().plugins_registry});
    EXPECT_OK(driver_->Start());
    EXPECT_TRUE(node_.Await([this] { return node_.log.Count("Registered DRA plugin") == 1; }));
    EXPECT_OK(node_.Admit(kPod));
    EXPECT_TRUE(node_.Prepare("web-uid")->prepared());
    MaybeRestart();
  }
  void MaybeRestart() {
    ASSERT_OK(node_.MaybeRestart());
    if (!harness::IsRestartTwin()) return;
    ASSERT_OK(plugin_->Restart());
    ASSERT_OK(plugin_->Register(node_.paths().registration_socket));
    ASSERT_TRUE(node_.AwaitAllocatable("example.com/fake", 2));
  }
  const NodeViewer& viewer() { return node_.daemon().viewer(); }

  DaemonNode node_;
  std::optional<FakeDevicePlugin> plugin_;
  std::optional<FakeDraDriver> driver_;
};

TEST_F(NodeViewerTest, ShowsWhatThePodHolds) {
  const auto pods = viewer().Pods();
  ASSERT_THAT(pods.pods(), SizeIs(1));
  const auto& pod = pods.pods(0);
  EXPECT_EQ(pod.state(), ::kubeletcm::v1::POD_STATE_PREPARED);
  EXPECT_EQ(pod.source(), "api");
  EXPECT_THAT(pod.claims(), ElementsAre("claim"));
  const auto& container = pod.containers(0);
  EXPECT_EQ(container.kind(), "app");
  EXPECT_THAT(container.claims(), ElementsAre("gpu"));
  ASSERT_THAT(container.devices(), SizeIs(1));
  EXPECT_EQ(container.devices(0).resource(), "example.com/fake");
  EXPECT_EQ(container.devices(0).device_id(), "dev-0");
  EXPECT_EQ(container.allocated_resources_status(0).resources(0).health(), "Healthy");
}

TEST_F(NodeViewerTest, ShowsWhatAnAdmittedPodLacks) {
  EXPECT_OK(node_.Admit(R"(
apiVersion: v1
kind: Pod
metadata: {name: poor, uid: poor-uid}
spec:
  containers:
  - name: main
    resources: {limits: {cpu: 1, example.com/fake: 1, example.com/none: 1, example.com/nil: 0}}
)"));
  const auto pods = viewer().Pods();
  ASSERT_THAT(pods.pods(), SizeIs(2));
  EXPECT_THAT(pods.pods(0).containers(0).without(), ElementsAre("example.com/none"));
  EXPECT_THAT(pods.pods(1).containers(0).without(), IsEmpty());
}

TEST_F(NodeViewerTest, ShowsResourcesWithTheirHolders) {
  const auto resources = viewer().Resources("example.com/fake");
  ASSERT_THAT(resources.resources(), SizeIs(1));
  const auto& resource = resources.resources(0);
  EXPECT_TRUE(resource.connected());
  EXPECT_EQ(resource.capacity(), 2);
  EXPECT_EQ(resource.allocatable(), 2);
  EXPECT_EQ(resource.allocated(), 1);
  EXPECT_EQ(resource.devices(0).holders(0).pod().name(), "web");
  EXPECT_EQ(resource.devices(0).holders(0).container(), "main");
  EXPECT_THAT(resource.devices(1).holders(), IsEmpty());
  EXPECT_THAT(viewer().Resources("example.com/none").resources(), IsEmpty());
}

TEST_F(NodeViewerTest, ADeviceWhosePluginIsGoneIsStillShownWithItsHolder) {
  plugin_->Kill();
  ASSERT_TRUE(node_.AwaitAllocatable("example.com/fake", 0));
  const auto resources = viewer().Resources("example.com/fake");
  EXPECT_FALSE(resources.resources(0).connected());
  EXPECT_EQ(resources.resources(0).devices(0).health(), "Unknown");
  EXPECT_THAT(resources.resources(0).devices(0).holders(), SizeIs(1));
}

TEST_F(NodeViewerTest, ShowsClaimsWithTheirDevices) {
  const auto claims = viewer().Claims();
  ASSERT_THAT(claims.claims(), SizeIs(1));
  const auto& claim = claims.claims(0);
  EXPECT_EQ(claim.name(), "claim");
  EXPECT_EQ(claim.uid(), "claim-uid");
  EXPECT_EQ(claim.state(), "Prepared");
  EXPECT_EQ(claim.pods(0).name(), "web");
  EXPECT_EQ(claim.drivers(0).name(), "fake.example.com");
  EXPECT_THAT(claim.drivers(0).devices(0).cdi_devices(), ElementsAre("example.com/fake=claim-uid"));
  EXPECT_EQ(claim.stuck(), "");
}

TEST_F(NodeViewerTest, AClaimWhoseDriverIsGoneIsShownAsStuck) {
  driver_->Stop();
  ASSERT_TRUE(node_.Await([this] { return node_.log.Count("Unregistered DRA plugin") == 1; }));
  EXPECT_FALSE(node_.Remove("web-uid")->removed());
  EXPECT_EQ(viewer().Claims().claims(0).state(), "Unpreparing");
  EXPECT_EQ(viewer().Claims().claims(0).stuck(),
            "driver fake.example.com: DRA driver fake.example.com is not registered");
}

TEST_F(NodeViewerTest, ShowsPluginsAndDriversAndSocketsThatAreNeither) {
  node_.WriteFile("root/plugins_registry/file.sock", "no socket");
  const auto plugins = viewer().Plugins();
  ASSERT_THAT(plugins.plugins(), SizeIs(2));
  EXPECT_EQ(plugins.plugins(0).type(), "DevicePlugin");
  EXPECT_EQ(plugins.plugins(0).state(), "connected");
  EXPECT_TRUE(plugins.plugins(0).primary());
  EXPECT_EQ(plugins.plugins(1).type(), "DRAPlugin");
  EXPECT_EQ(plugins.plugins(1).name(), "fake.example.com");
  EXPECT_EQ(plugins.plugins(1).registration_socket(), driver_->registration_path());
}

}  // namespace
}  // namespace kubelet_cm
