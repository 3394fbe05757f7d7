#include "tools/cmctl/node/podres_verbs.h"

#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/node/node_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;

constexpr char kPodResources[] = R"(
  name: "web" namespace: "default"
  containers {
    name: "app"
    devices { resource_name: "example.com/widget" device_ids: "dev-0" topology { nodes { ID: 1 } } }
    devices { resource_name: "example.com/widget" device_ids: "dev-1" device_ids: "dev-2" }
    dynamic_resources {
      claim_name: "gpus" claim_namespace: "default"
      claim_resources { driver_name: "drv.example.com" pool_name: "node-1" device_name: "gpu-0" }
    }
  }
)";

class PodresVerbsTest : public NodeFixture {
 protected:
  PodresVerbsTest() {
    Set(kPodResources, node_.pod_resources.list.add_pod_resources());
    Set("name: \"idle\" namespace: \"batch\" containers { name: \"a\" }", node_.pod_resources.list.add_pod_resources());
    Set(kPodResources, node_.pod_resources.get.mutable_pod_resources());
    Set(R"(devices { resource_name: "example.com/widget" device_ids: "dev-0" topology { nodes { ID: 0 } nodes { ID: 1 } } })",
        &node_.pod_resources.allocatable);
  }
  int Run(PodresOptions options) {
    if (options.root_dir.empty() && options.endpoint.empty()) options.root_dir = "/r";
    return RunPodres(options, environment_);
  }
};

TEST_F(PodresVerbsTest, EveryCallIsATable) {
  EXPECT_EQ(Run({.call = "list"}), kOk);
  EXPECT_EQ(Run({.call = "get", .pod = "web", .no_headers = true}), kOk);
  EXPECT_EQ(Run({.call = "allocatable", .endpoint = "/r/pod-resources/kubelet.sock"}), kOk);
  ExpectGolden("podres.txt");
  EXPECT_EQ(node_.pod_resources.asked, "default/web");
}

TEST_F(PodresVerbsTest, JsonIsTheAnswerOfTheApi) {
  EXPECT_EQ(Run({.call = "list", .output = "json"}), kOk);
  EXPECT_EQ(Run({.call = "get", .pod = "web", .output = "yaml"}), kOk);
  EXPECT_EQ(Run({.call = "allocatable", .output = "json"}), kOk);
  ExpectGolden("podres.json");
}

TEST_F(PodresVerbsTest, AKubeletOfV1Alpha1IsListedAndThatIsSaid) {
  node_.pod_resources.only_v1alpha1 = true;
  EXPECT_EQ(Run({.call = "list", .no_headers = true}), kOk);
  EXPECT_THAT(out(), testing::StartsWith("default   web    app   example.com/widget"));
  EXPECT_EQ(err(), "cmctl: only v1alpha1 is served there: no NUMA nodes and no claims are told\n");
  err_.str("");
  out_.str("");
  EXPECT_EQ(Run({.call = "get", .pod = "web"}), kFailed);
  EXPECT_EQ(Run({.call = "allocatable"}), kFailed);
  EXPECT_EQ(out(), "");
  EXPECT_THAT(err(), HasSubstr("cmctl: /r/pod-resources/kubelet.sock does not serve get of the podresources API v1, "
                               "which it needs: kubelets have "));
  EXPECT_THAT(err(), HasSubstr("does not serve allocatable of the podresources API v1, which it needs"));
}

TEST_F(PodresVerbsTest, WhatServesNeitherIsNoKubelet) {
  node_.pod_resources.error = absl::UnimplementedError("unknown service v1.PodResourcesLister");
  EXPECT_EQ(Run({.call = "list"}), kFailed);
  EXPECT_THAT(err(), HasSubstr("does not serve list of the podresources API v1; cmctl plugin probe says what it is"));
}

TEST_F(PodresVerbsTest, ErrorsAreClear) {
  node_.pod_resources.error = absl::UnknownError("pod web in namespace default not found");
  EXPECT_EQ(Run({.call = "get", .pod = "web"}), kNotFound);
  node_.pod_resources.error = absl::ResourceExhaustedError("rejected by rate limit");
  EXPECT_EQ(Run({.call = "list"}), kFailed);
  EXPECT_EQ(err(), "cmctl: pod web in namespace default not found\ncmctl: rejected by rate limit\n");
  err_.str("");
  EXPECT_EQ(Run({.call = "list", .root_dir = "/nowhere"}), kFailed);
  EXPECT_THAT(err(), HasSubstr("no kubelet and no kubelet_cm answers at /nowhere/pod-resources/kubelet.sock"));
  EXPECT_EQ(Run({.call = "get", .pod = "a/b/c"}), kUsage);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
