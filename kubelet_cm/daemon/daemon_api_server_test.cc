// The daemon with an API server: claims come from it, and what drivers published is cleared up there.
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/personality/personality.h"
#include "common/status/status_matchers.h"
#include "dra/api/dra_api.h"
#include "dra/claim/claim_object.h"
#include "dra/plugin/slice_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/daemon/daemon.h"
#include "testing/fakes/fake_api_server.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/daemon_node.h"

namespace kubelet_cm {
namespace {

using fakes::FakeApiServer;
using fakes::FakeDraDriver;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kPod[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: learner, uid: learner-uid}
spec:
  resourceClaims: [{name: gpu, resourceClaimName: claim}]
  containers:
  - name: main
    resources: {claims: [{name: gpu}]}
)";

class DaemonApiServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = FakeApiServer::New(node_.machine.threads, {.token = "token-1"});
    ASSERT_OK(server);
    server_ = *std::move(server);
    server_->PutNode("node");
    node_.options.kubeconfig = node_.PathOf("kubeconfig");
    node_.WriteFile("token", "token-1");
    node_.WriteFile(
        "kubeconfig",
        absl::StrCat(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: "
            "u}}]\nclusters: [{name: k, cluster: {server: '",
            server_->url(), "'}}]\nusers: [{name: u, user: {tokenFile: ", node_.PathOf("token"), "}}]\n"));
  }

  static dra::ClaimObject ClaimFor(const std::string& pod_uid) {
    return {.id = {"default", "claim", "claim-uid"},
            .reserved_for = {{"", "pods", "learner", pod_uid}},
            .allocation = dra::Allocation{
                .results = {{.request = "gpu", .driver = "fake.example.com", .pool = "pool", .device = "dev-0"}}}};
  }

  harness::DaemonNode node_;
  std::unique_ptr<FakeApiServer> server_;
};

TEST_F(DaemonApiServerTest, AClaimOfTheServerIsPreparedAndUnpreparedByADriver) {
  server_->PutClaim(ClaimFor("learner-uid"));
  ASSERT_OK(node_.Start());
  FakeDraDriver driver({node_.machine.threads, node_.machine.files},
                       {.folder = node_.paths().plugins, .registration_folder = node_.paths().plugins_registry});
  ASSERT_OK(driver.Start());
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Registered DRA plugin") == 1; }));
  ASSERT_OK_AND_ASSIGN(const auto admitted, node_.Admit(kPod));
  EXPECT_TRUE(admitted.admitted()) << admitted.message();
  ASSERT_OK(node_.MaybeRestart());
  ASSERT_OK_AND_ASSIGN(const auto prepared, node_.Prepare("learner-uid"));
  EXPECT_TRUE(prepared.prepared()) << prepared.message();
  ASSERT_OK_AND_ASSIGN(const auto options, node_.ContainerOptions("learner-uid", "main"));
  EXPECT_THAT(options.cdi_devices(), SizeIs(1));
  ASSERT_OK(node_.MaybeRestart());

  // What is prepared outlives the claim's deletion and the daemon's death.
  server_->DeleteClaim("default", "claim");
  const size_t registered = node_.log.Count("Registered DRA plugin");
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.ContainerOptions("learner-uid", "main")->cdi_devices(), SizeIs(1));
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Registered DRA plugin") > registered; }));
  ASSERT_OK_AND_ASSIGN(const auto removed, node_.Remove("learner-uid"));
  EXPECT_TRUE(removed.removed()) << removed.message();
  EXPECT_THAT(driver.PreparedClaims(), IsEmpty());
}

TEST_F(DaemonApiServerTest, AClaimThatIsReservedForAnotherPodIsNotPrepared) {
  server_->PutClaim(ClaimFor("another-uid"));
  ASSERT_OK(node_.Start());
  ASSERT_OK(node_.Admit(kPod));
  ASSERT_OK_AND_ASSIGN(const auto prepared, node_.Prepare("learner-uid"));
  EXPECT_FALSE(prepared.prepared());
  EXPECT_EQ(prepared.reason(), "FailedPrepareDynamicResources");
  ASSERT_OK(node_.MaybeRestart());
  // The next try asks anew: the server's word has changed.
  server_->PutClaim(ClaimFor("learner-uid"));
  FakeDraDriver driver({node_.machine.threads, node_.machine.files},
                       {.folder = node_.paths().plugins, .registration_folder = node_.paths().plugins_registry});
  ASSERT_OK(driver.Start());
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Registered DRA plugin") == 1; }));
  ASSERT_OK_AND_ASSIGN(const auto again, node_.Prepare("learner-uid"));
  EXPECT_TRUE(again.prepared()) << again.message();
}

TEST_F(DaemonApiServerTest, SlicesOfDriversThatAreNotThereAreDeleted) {
  server_->PutSlice("old", {.node = "node", .driver = "gone.example.com"});
  server_->PutSlice("others", {.node = "another-node", .driver = "gone.example.com"});
  ASSERT_OK(node_.Start());
  EXPECT_OK(server_->AwaitRequests("DELETE ", 1));
  EXPECT_TRUE(node_.Await([&] { return server_->Slices() == std::set<std::string>{"others"}; }));
}

class DaemonAs130Test : public DaemonApiServerTest {
 protected:
  void SetUp() override {
    DaemonApiServerTest::SetUp();
    server_->SetVersions({"v1alpha2"});
    node_.options.kubelet = *ParsePersonality("1.30");
  }
  FakeDraDriver::Options DriverOptions() {
    return {.folder = node_.paths().plugins,
            .registration_folder = node_.paths().plugins_registry,
            .api = dra::DraApi::kV1Alpha3,
            .tells_models = true};
  }
  static dra::ResourceModel Model(const std::string& instance) {
    dra::ResourceModel model;
    model.mutable_named_resources()->add_instances()->set_name(instance);
    return model;
  }
  // Waits until each of the driver's slices has one of these instances.
  absl::Status AwaitSlices(const std::vector<std::string>& instances) {
    std::vector<std::string> wanted;
    for (const std::string& instance : instances) {
      wanted.push_back(absl::StrCat(R"({"instances":[{"name":")", instance, R"("}]})"));
    }
    return server_->AwaitSlices("fake.example.com", wanted);
  }
};

TEST_F(DaemonAs130Test, WhatADriverSaysThatItHasIsInTheServersSlices) {
  server_->PutSlice("others", {.node = "another-node", .driver = "gone.example.com"});
  server_->PutSlice("old", {.node = "node", .driver = "gone.example.com"});
  ASSERT_OK(node_.Start());
  EXPECT_OK(server_->AwaitSlices("gone.example.com", {""}));
  EXPECT_EQ(server_->Slices(), std::set<std::string>{"others"});
  FakeDraDriver driver({node_.machine.threads, node_.machine.files}, DriverOptions());
  driver.models().Publish({Model("a"), Model("b")});
  ASSERT_OK(driver.Start());
  EXPECT_OK(AwaitSlices({"a", "b"}));
  const std::set<std::string> names = server_->Slices();
  driver.models().Publish({Model("b"), Model("c")});
  EXPECT_OK(AwaitSlices({"c", "b"}));
  EXPECT_EQ(server_->Slices(), names);

  // They outlive the daemon; a start, as that of a kubelet of 1.30, does not wait for drivers to come back.
  node_.Kill();
  EXPECT_OK(AwaitSlices({"c", "b"}));
  ASSERT_OK(node_.Start());
  driver.models().Publish({Model("d"), Model("b")});
  EXPECT_OK(AwaitSlices({"d", "b"}));
  driver.Stop();
  EXPECT_OK(AwaitSlices({}));
  EXPECT_EQ(server_->Slices(), std::set<std::string>{"others"});
}

TEST_F(DaemonAs130Test, AClaimOfAServerOfThatTimeIsPrepared) {
  dra::ClaimObject claim = ClaimFor("learner-uid");
  claim.driver_name = "fake.example.com";
  claim.allocation =
      dra::Allocation{.handles = {{.driver_name = "fake.example.com", .data = "42", .structured_data = {}}}};
  server_->PutClaim(claim);
  ASSERT_OK(node_.Start());
  FakeDraDriver driver({node_.machine.threads, node_.machine.files}, DriverOptions());
  ASSERT_OK(driver.Start());
  ASSERT_TRUE(node_.Await([&] { return node_.log.Count("Registered DRA plugin") == 1; }));
  ASSERT_OK(node_.Admit(kPod));
  ASSERT_OK_AND_ASSIGN(const auto prepared, node_.Prepare("learner-uid"));
  EXPECT_TRUE(prepared.prepared()) << prepared.message();
  EXPECT_THAT(driver.PreparedClaims(), SizeIs(1));
}

}  // namespace
}  // namespace kubelet_cm
