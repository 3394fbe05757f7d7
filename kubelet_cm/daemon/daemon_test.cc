// The daemon as plugins, drivers, clients and their owners meet it: on real sockets and a real folder.
//
// daemon_test_restart is the same with a kill and a start at each MaybeRestart(). There is none where a stream of
// events is read, which ends with the daemon and whose numbers begin anew; where the node is drained, which is said to
// a daemon and not to a node; and where a start itself is what is tested.
#include "kubelet_cm/daemon/daemon.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/status/status_matchers.h"
#include "common/unixsocket/channel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/http/http_server.h"
#include "kubelet_cm/podresources/api/v1.grpc.pb.h"
#include "testing/fakes/fake_device_plugin.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/daemon_node.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm {
namespace {

using fakes::FakeDevicePlugin;
using fakes::FakeDraDriver;
using fakes::PluginMethod;
using harness::DaemonNode;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/fake";
constexpr char kPod[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: web, uid: web-uid}
spec:
  containers:
  - name: main
    resources: {limits: {example.com/fake: 1}}
)";
constexpr char kPodWithClaim[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: learner, uid: learner-uid}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: claim}]
  containers:
  - name: main
    resources: {claims: [{name: gpu}]}
)";
constexpr char kClaim[] = R"(
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim, namespace: default, uid: claim-uid}
status:
  reservedFor: [{resource: pods, name: learner, uid: learner-uid}]
  allocation:
    devices:
      results: [{request: gpu, driver: fake.example.com, pool: pool, device: dev-0}]
)";

class DaemonTest : public ::testing::Test {
 protected:
  std::unique_ptr<FakeDevicePlugin> RunPlugin() {
    auto plugin =
        std::make_unique<FakeDevicePlugin>(FakeDevicePlugin::Dependencies{node_.machine.threads, node_.machine.files},
                                           FakeDevicePlugin::Options{.folder = node_.paths().device_plugins});
    EXPECT_OK(plugin->Start());
    EXPECT_OK(plugin->Register(node_.paths().registration_socket));
    EXPECT_TRUE(node_.AwaitAllocatable(kResource, 2));
    return plugin;
  }
  // In the test's restart twin.
  void MaybeRestart(FakeDevicePlugin* plugin) {
    ASSERT_OK(node_.MaybeRestart());
    if (plugin == nullptr || !harness::IsRestartTwin()) return;
    ASSERT_OK(plugin->Restart());
    ASSERT_OK(plugin->Register(node_.paths().registration_socket));
    ASSERT_TRUE(node_.AwaitAllocatable(kResource, 2));
  }
  std::vector<std::string> DevicesOfWeb() {
    std::vector<std::string> ids;
    const auto listed = node_.Pods();
    EXPECT_OK(listed);
    for (const auto& pod : listed->pods()) {
      for (const auto& container : pod.containers()) {
        for (const auto& device : container.devices()) ids.push_back(device.device_id());
      }
    }
    return ids;
  }

  DaemonNode node_;
};

TEST_F(DaemonTest, APodGetsDevicesAndStillHasThemAfterAKill) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK_AND_ASSIGN(const auto admitted, node_.Admit(kPod));
  EXPECT_TRUE(admitted.admitted()) << admitted.message();
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
  MaybeRestart(nullptr);
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
  // The start has removed the plugin's socket, as a kubelet's does.
  ASSERT_OK(plugin->Restart());
  ASSERT_OK(plugin->Register(node_.paths().registration_socket));
  ASSERT_TRUE(node_.AwaitAllocatable(kResource, 2));
  MaybeRestart(plugin.get());
  ASSERT_OK_AND_ASSIGN(const auto options, node_.ContainerOptions("web-uid", "main"));
  EXPECT_EQ(options.envs().at("FAKE_DEVICES"), "dev-0");
  EXPECT_EQ(plugin->script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(DaemonTest, AClaimFromAFolderIsPreparedByADriverThatTheWatcherFound) {
  node_.options.claim_manifest_path = node_.PathOf("claims");
  node_.WriteFile("claims/claim.yaml", kClaim);
  ASSERT_OK(node_.Start());
  FakeDraDriver driver({node_.machine.threads, node_.machine.files},
                       {.folder = node_.paths().plugins, .registration_folder = node_.paths().plugins_registry});
  ASSERT_OK(driver.Start());
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Registered DRA plugin") == 1; }));
  ASSERT_OK_AND_ASSIGN(const auto admitted, node_.Admit(kPodWithClaim));
  EXPECT_TRUE(admitted.admitted());
  MaybeRestart(nullptr);
  ASSERT_OK_AND_ASSIGN(const auto prepared, node_.Prepare("learner-uid"));
  EXPECT_TRUE(prepared.prepared()) << prepared.message();
  MaybeRestart(nullptr);
  ASSERT_OK_AND_ASSIGN(const auto options, node_.ContainerOptions("learner-uid", "main"));
  EXPECT_THAT(options.cdi_devices(), SizeIs(1));
  MaybeRestart(nullptr);
  ASSERT_OK_AND_ASSIGN(const auto removed, node_.Remove("learner-uid"));
  EXPECT_TRUE(removed.removed()) << removed.message();
  EXPECT_THAT(driver.PreparedClaims(), SizeIs(0));
}

TEST_F(DaemonTest, AStaticPodIsAdmittedAndItsEndFreesItsDevices) {
  node_.options.pod_manifest_path = node_.PathOf("manifests");
  ASSERT_OK(node_.machine.files.MakeFolders(node_.options.pod_manifest_path, 0750));
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  node_.WriteFile("manifests/web.yaml", kPod);
  ASSERT_TRUE(node_.Await([&] { return node_.daemon().pods().Find("web-uid") != nullptr; }));
  ASSERT_TRUE(node_.Await([&] { return node_.daemon().pods().Find("web-uid")->phase == PodPhase::kPrepared; }));
  MaybeRestart(plugin.get());
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
  ASSERT_OK(node_.machine.files.Unlink(node_.PathOf("manifests/web.yaml")));
  ASSERT_TRUE(node_.Await([&] { return node_.daemon().pods().Find("web-uid") == nullptr; }));
}

TEST_F(DaemonTest, PodResourcesListsWhatPodsHold) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  MaybeRestart(nullptr);
  ASSERT_OK_AND_ASSIGN(const auto channel, DialUnixSocket(node_.paths().pod_resources_socket));
  grpc::ClientContext context;
  ::v1::ListPodResourcesResponse response;
  ASSERT_TRUE(::v1::PodResourcesLister::NewStub(channel)->List(&context, {}, &response).ok());
  ASSERT_THAT(response.pod_resources(), SizeIs(1));
  EXPECT_EQ(response.pod_resources(0).name(), "web");
  EXPECT_EQ(response.pod_resources(0).containers(0).devices(0).device_ids(0), "dev-0");
}

TEST_F(DaemonTest, AWatchTellsWhatHappens) {
  ASSERT_OK(node_.Start());
  ASSERT_OK(node_.Admit(kPod));
  grpc::ClientContext context;
  ::kubeletcm::v1::WatchRequest request;
  request.set_from_start(true);
  request.add_kinds("PodAdmitted");
  const auto stream = node_.control().Watch(&context, request);
  ::kubeletcm::v1::Event event;
  ASSERT_TRUE(stream->Read(&event));
  EXPECT_EQ(event.kind(), "PodAdmitted");
  EXPECT_EQ(event.subject(), "default/web");
  context.TryCancel();
}

TEST_F(DaemonTest, AWatchTellsOfPluginsAndTheirDevices) {
  ASSERT_OK(node_.Start());
  grpc::ClientContext context;
  ::kubeletcm::v1::WatchRequest request;
  request.set_from_start(true);
  for (const char* kind : {"PluginConnected", "DevicesChanged", "PluginGone"}) request.add_kinds(kind);
  const auto stream = node_.control().Watch(&context, request);
  const auto plugin = RunPlugin();
  plugin->Kill();
  std::vector<std::string> told;
  ::kubeletcm::v1::Event event;
  while (told.size() < 3 && stream->Read(&event)) told.push_back(absl::StrCat(event.kind(), " ", event.subject()));
  EXPECT_THAT(told, ElementsAre("PluginConnected example.com/fake", "DevicesChanged example.com/fake",
                                "PluginGone example.com/fake"));
  context.TryCancel();
}

TEST_F(DaemonTest, AWatchTellsOfWrites) {
  ASSERT_OK(node_.Start());
  grpc::ClientContext context;
  ::kubeletcm::v1::WatchRequest request;
  request.add_kinds("StateWritten");
  const auto stream = node_.control().Watch(&context, request);
  stream->WaitForInitialMetadata();
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  ::kubeletcm::v1::Event event;
  ASSERT_TRUE(stream->Read(&event));
  EXPECT_EQ(event.subject(), "devices");
  EXPECT_NE(event.details().at("writes"), "0");
  context.TryCancel();
}

TEST_F(DaemonTest, ASecondDaemonOnTheFolderIsTurnedAway) {
  ASSERT_OK(node_.Start());
  DaemonNode second;
  second.options = node_.options;
  EXPECT_THAT(second.Start(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("works on")));
}

TEST_F(DaemonTest, ALiveKubeletsSocketsAreNotTaken) {
  ASSERT_OK(node_.Start());
  DaemonNode second;
  second.options.device_plugin_dir = node_.options.device_plugin_dir;
  EXPECT_THAT(second.Start(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("device-plugins/kubelet.sock")));
}

TEST_F(DaemonTest, APortThatIsTakenIsNoticedBeforeAnythingIsTouchedAndIsNoOtherDaemon) {
  ASSERT_OK_AND_ASSIGN(const auto taken, http::HttpServer::New(node_.machine.threads, node_.log, {}, {.port = 0}));
  node_.options.healthz_port = taken->port();
  EXPECT_THAT(node_.Start(), StatusIs(absl::StatusCode::kFailedPrecondition,
                                      HasSubstr(absl::StrCat("cannot listen on 127.0.0.1:", taken->port()))));
  EXPECT_THAT(node_.machine.files.Lstat(node_.paths().registration_socket), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(DaemonTest, StoppingTakesNoLongerBecauseAPluginHangsAndRemovesTheSockets) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  plugin->script().At(PluginMethod::kAllocate, 1, {.held = true});
  const auto admission = node_.machine.threads.Start("admission", [&] {
    // It is cut, and what it is told then does not matter.
    (void)node_.Admit(kPod).ok();
  });
  ASSERT_OK(plugin->WaitForCall(PluginMethod::kAllocate, 1));
  const MonotonicTime begin = node_.machine.clock.MonotonicNow();
  EXPECT_OK(node_.Shutdown());
  EXPECT_LT(node_.machine.clock.MonotonicNow() - begin, absl::Seconds(20));
  for (const std::string& path :
       {node_.paths().registration_socket, node_.paths().control_socket, node_.paths().pod_resources_socket}) {
    EXPECT_THAT(node_.machine.files.Lstat(path), StatusIs(absl::StatusCode::kNotFound)) << path;
  }
}

TEST_F(DaemonTest, ADrainedNodeRefusesAndIsNotReady) {
  ASSERT_OK(node_.Start());
  grpc::ClientContext context;
  ::kubeletcm::v1::DrainResponse response;
  ASSERT_TRUE(node_.control().Drain(&context, {}, &response).ok());
  EXPECT_THAT(node_.Admit(kPod), StatusIs(absl::StatusCode::kUnavailable));
}

TEST_F(DaemonTest, StrictRefusesACorruptStateFileAndQuarantineSetsItAside) {
  ASSERT_OK(node_.Start());
  node_.Kill();
  node_.WriteFile("root/dra_manager_state", "rubbish");
  node_.options.recover = RecoverPolicy::kStrict;
  EXPECT_THAT(node_.Start(), StatusIs(absl::StatusCode::kDataLoss));
  EXPECT_EQ(*ReadFile(node_.machine.files, node_.PathOf("root/dra_manager_state"), 100), "rubbish");
  node_.options.recover = RecoverPolicy::kQuarantine;
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.daemon().restored(), Contains("claims: corrupt, set aside"));
}

TEST_F(DaemonTest, PodsThatAKubeletAdmittedKeepTheirDevicesOverEveryRestart) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  node_.Kill();
  // As on a node on which a kubelet has run so far.
  ASSERT_OK(node_.machine.files.Rename(node_.paths().pods, node_.PathOf("moved")));
  ASSERT_OK(node_.Start());
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
  EXPECT_EQ(node_.Pods()->pods(0).state(), ::kubeletcm::v1::POD_STATE_RESTORED);
  ASSERT_OK(plugin->Restart());
  ASSERT_OK(plugin->Register(node_.paths().registration_socket));
  ASSERT_TRUE(node_.AwaitAllocatable(kResource, 2));
  MaybeRestart(plugin.get());
  ASSERT_OK_AND_ASSIGN(const auto admitted, node_.Admit(kPod));
  EXPECT_TRUE(admitted.admitted()) << admitted.message();
  EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
}

TEST_F(DaemonTest, PodsThatAKubeletAdmittedInBetweenAreAdoptedToo) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  node_.Kill();
  // A kubelet comes, admits a pod of which the daemon never hears, and goes.
  const std::string pods = node_.paths().pods;
  ASSERT_OK(node_.machine.files.Rename(pods, node_.PathOf("away")));
  ASSERT_OK(node_.Start());
  ASSERT_OK(plugin->Restart());
  ASSERT_OK(plugin->Register(node_.paths().registration_socket));
  ASSERT_TRUE(node_.AwaitAllocatable(kResource, 2));
  ASSERT_OK(node_.Admit(kPod));
  node_.Kill();
  ASSERT_OK(node_.machine.files.Rename(pods, node_.PathOf("the kubelet's")));
  ASSERT_OK(node_.machine.files.Rename(node_.PathOf("away"), pods));
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(node_.Start());
    EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
    node_.Kill();
  }
}

TEST_F(DaemonTest, WhatIsLeftOverOfARemovedPodIsNotAdopted) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  node_.Kill();
  // As after a kill between the removal of the pod and that of what it held.
  ASSERT_OK(node_.machine.files.Unlink(node_.paths().pods + "/web-uid"));
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.Pods()->pods(), SizeIs(0));
}

TEST_F(DaemonTest, APodWhoseFileIsDamagedKeepsItsDevicesOverEveryRestart) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  node_.Kill();
  node_.WriteFile("root/kubelet_cm/pods/web-uid", "rubbish");
  for (int i = 0; i < 2; ++i) {
    ASSERT_OK(node_.Start());
    EXPECT_THAT(DevicesOfWeb(), ElementsAre("dev-0"));
    node_.Kill();
  }
}

TEST_F(DaemonTest, AfterABootPodsHaveToBeAdmittedAgain) {
  ASSERT_OK(node_.Start());
  const auto plugin = RunPlugin();
  ASSERT_OK(node_.Admit(kPod));
  node_.Kill();
  node_.WriteFile("boot_id", "boot-2\n");
  ASSERT_OK(node_.Start());
  EXPECT_EQ(node_.Pods()->pods(0).state(), ::kubeletcm::v1::POD_STATE_RESTORED);
}

TEST_F(DaemonTest, TooManyNumaNodesForThePolicyAreRefused) {
  node_.options.topology.policy = TopologyPolicy::kRestricted;
  node_.options.numa_nodes = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_THAT(node_.Start(), StatusIs(absl::StatusCode::kFailedPrecondition));
}

}  // namespace
}  // namespace kubelet_cm
