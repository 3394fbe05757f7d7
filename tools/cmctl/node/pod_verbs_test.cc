#include "tools/cmctl/node/pod_verbs.h"

#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node/sample_node.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr char kPod[] = "kind: Pod\napiVersion: v1\nmetadata: {name: web}\n";

class PodVerbsTest : public NodeFixture {
 protected:
  PodVerbsTest() { Set(kPods, &node_.daemon.pods); }

  PodChoice Choose(const std::string& pod) { return {.pod = pod, .connection = connection_}; }
  int Admit(const std::string& file, const std::string& output = "text") {
    return RunAdmit({.file = file, .output = output, .connection = connection_}, environment_);
  }
};

TEST_F(PodVerbsTest, AnAdmittedPodIsShownWithWhatItHolds) {
  node_.daemon.admit.set_admitted(true);
  *node_.daemon.admit.mutable_pod() = node_.daemon.pods.pods(0);
  node_.daemon.admit.mutable_pod()->mutable_containers(1)->add_without("example.com/none");
  EXPECT_EQ(Admit(Put("pod.yaml", kPod)), kOk);
  EXPECT_EQ(out(),
            "pod default/web admitted\n"
            "  container setup: example.com/nic n0\n"
            "  container app: example.com/widget dev-0,dev-1\n"
            "  container app: no example.com/none, which no plugin has registered\n");
  // As it stands, so that errors name its lines.
  EXPECT_THAT(node_.daemon.asked,
              ElementsAre("AdmitPod manifest: \"kind: Pod\\napiVersion: v1\\nmetadata: {name: web}\\n\""));
}

TEST_F(PodVerbsTest, ARefusedPodHasItsReasonAndExitsOne) {
  *node_.daemon.admit.mutable_pod() = node_.daemon.pods.pods(1);
  node_.daemon.admit.set_reason("UnexpectedAdmissionError");
  node_.daemon.admit.set_message("Allocate failed");
  in_.str(kPod);
  EXPECT_EQ(Admit("-"), kRefused);
  EXPECT_EQ(out(), "pod default/big refused: UnexpectedAdmissionError: Allocate failed\n");
  out_.str("");
  in_.clear();
  in_.str(kPod);
  EXPECT_EQ(Admit("-", "json"), kRefused);
  ExpectGolden("admit.json");
}

TEST_F(PodVerbsTest, EveryPodOfAFileIsAdmitted) {
  node_.daemon.admit.set_admitted(true);
  *node_.daemon.admit.mutable_pod() = node_.daemon.pods.pods(2);
  const std::string file =
      Put("pods.yaml", std::string(kPod) +
                           "---\nkind: ResourceClaim\nmetadata: {name: c}\n---\nkind: PodList\napiVersion: v1\n"
                           "items: [{metadata: {name: a}}, {metadata: {name: b}}]\n");
  EXPECT_EQ(Admit(file), kOk);
  EXPECT_EQ(node_.daemon.asked.size(), 3u);
  EXPECT_THAT(node_.daemon.asked[1],
              HasSubstr(R"({\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\"}})"));
  EXPECT_THAT(err(), HasSubstr("cmctl: /f/pods.yaml: passed over, for it is no pod: ResourceClaim (claims come from"));
}

TEST_F(PodVerbsTest, WhatIsNoManifestOfAPodIsUsage) {
  EXPECT_EQ(Admit(Put("a", "kind: Service\n")), kUsage);
  EXPECT_THAT(err(), HasSubstr("cmctl: /f/a: there is no pod in it\n"));
  EXPECT_EQ(Admit(Put("b", "a: [\n")), kUsage);
  EXPECT_EQ(Admit("/f/none"), kNotFound);
  EXPECT_THAT(node_.daemon.asked, ElementsAre());
}

TEST_F(PodVerbsTest, PreparingIsDoneOrNot) {
  node_.daemon.prepare.set_prepared(true);
  EXPECT_EQ(RunPrepare(Choose("web"), environment_), kOk);
  node_.daemon.prepare.set_prepared(false);
  node_.daemon.prepare.set_reason("FailedPrepareDynamicResources");
  node_.daemon.prepare.set_message("driver x is not registered");
  EXPECT_EQ(RunPrepare(Choose("uid-web"), environment_), kRefused);
  EXPECT_EQ(out(),
            "pod default/web prepared\n"
            "pod default/web not prepared: FailedPrepareDynamicResources: driver x is not registered\n");
  EXPECT_THAT(node_.daemon.asked[0], "PreparePod pod { uid: \"uid-web\" namespace: \"default\" name: \"web\" }");
  EXPECT_EQ(RunPrepare(Choose("none"), environment_), kNotFound);
}

TEST_F(PodVerbsTest, DeletingSaysWhetherThePodIsGone) {
  node_.daemon.remove.set_message("driver x is not registered");
  EXPECT_EQ(RunDelete({.choice = Choose("web"), .force = false}, environment_), kRefused);
  node_.daemon.remove.set_removed(true);
  node_.daemon.remove.clear_message();
  EXPECT_EQ(RunDelete({.choice = Choose("web"), .force = true}, environment_), kOk);
  EXPECT_EQ(out(), "pod default/web is terminating: driver x is not registered\npod default/web removed\n");
  EXPECT_THAT(node_.daemon.asked[0], Not(HasSubstr("force")));
  EXPECT_THAT(node_.daemon.asked[1], HasSubstr("force: true"));
}

TEST_F(PodVerbsTest, ContainersStartAndExit) {
  EXPECT_EQ(RunStarted(Choose("web"), "app", environment_), kOk);
  EXPECT_EQ(RunExited(Choose("web"), "app", environment_), kOk);
  EXPECT_EQ(out(), "container app of pod default/web started\ncontainer app of pod default/web exited\n");
  EXPECT_THAT(node_.daemon.asked, ElementsAre(HasSubstr("ContainerStarted"), HasSubstr("container: \"app\"")));
}

TEST_F(PodVerbsTest, OptionsAreShownWithoutSecrets) {
  Set(R"(envs { key: "TOKEN" value: "s3cret" } envs { key: "A" value: "s3cret" }
         mounts { container_path: "/c" host_path: "/h" read_only: true }
         devices { container_path: "/dev/c" host_path: "/dev/h" permissions: "rw" }
         annotations { name: "k" value: "v" } cdi_devices: "example.com/gpu=0")",
      &node_.daemon.options);
  for (const char* output : {"text", "json", "yaml"}) {
    EXPECT_EQ(RunContainerOptions({.choice = Choose("web"), .container = "app", .output = output}, environment_), kOk);
  }
  EXPECT_THAT(out(), Not(HasSubstr("s3cret")));
  ExpectGolden("options.txt");
  EXPECT_EQ(RunContainerOptions({.choice = Choose("web"), .container = "app", .show_secrets = true}, environment_),
            kOk);
  EXPECT_THAT(out(), HasSubstr("env TOKEN=s3cret\n"));
}

}  // namespace
}  // namespace kubelet_cm::cmctl
