#include "tools/cmctl/node/node_verbs.h"

#include <string>

#include "gmock/gmock.h"
#include "tools/cmctl/node/node_fixture.h"
#include "tools/cmctl/node/sample_node.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class NodeVerbsTest : public NodeFixture {
 protected:
  NodeVerbsTest() {
    Set(kPods, &node_.daemon.pods);
    Set(kResources, &node_.daemon.resources);
    Set(kPlugins, &node_.daemon.plugins);
    Set(kClaims, &node_.daemon.claims);
    Set(R"(version: "0.1.0" emulated_kubelet: "1.36" root_dir: "/r" node_name: "node-1"
           started_unix_nanos: 1789999900000000000 restored: "devices: restored")",
        &node_.daemon.version);
  }

  int Describe(const std::string& kind, const std::string& name) {
    return RunDescribe({.kind = kind, .name = name, .connection = connection_}, environment_);
  }
  int Explain(const std::string& kind, const std::string& name, const std::string& output = "text") {
    return RunExplainNode({.kind = kind, .name = name, .output = output, .connection = connection_}, environment_);
  }
};

TEST_F(NodeVerbsTest, DescribesAllThatIsKnown) {
  EXPECT_EQ(Describe("pod", "web"), kOk);
  EXPECT_EQ(Describe("pod", "big"), kOk);
  EXPECT_EQ(Describe("pod", "uid-old"), kOk);
  EXPECT_EQ(Describe("claim", "gpus"), kOk);
  EXPECT_EQ(Describe("claim", "batch/old"), kOk);
  EXPECT_EQ(Describe("resource", "example.com/widget"), kOk);
  EXPECT_EQ(Describe("plugin", "drv.example.com"), kOk);
  EXPECT_EQ(Describe("plugin", "example.com/nic"), kOk);
  ExpectGolden("describe.txt");
}

TEST_F(NodeVerbsTest, WhatIsNotKnownIsNotFound) {
  for (const char* kind : {"pod", "claim", "resource", "plugin"}) EXPECT_EQ(Describe(kind, "x"), kNotFound) << kind;
  EXPECT_EQ(Explain("pod", "x"), kNotFound);
  EXPECT_EQ(Explain("claim", "x"), kNotFound);
}

TEST_F(NodeVerbsTest, OneOfSeveralPodsOfANameIsNotDescribed) {
  node_.daemon.pods.add_pods()->CopyFrom(node_.daemon.pods.pods(0));
  node_.daemon.pods.mutable_pods(5)->mutable_pod()->set_uid("uid-web-2");
  EXPECT_EQ(Describe("pod", "web"), kUsage);
  EXPECT_EQ(Explain("pod", "web"), kUsage);
  EXPECT_EQ(out(), "");
  EXPECT_THAT(err(), HasSubstr("may be default/web (uid uid-web, Prepared) or default/web (uid uid-web-2, Prepared)"));
  EXPECT_EQ(Describe("pod", "pod/uid-web-2"), kOk);
}

TEST_F(NodeVerbsTest, ExplainsWithFindingsAndAdvice) {
  Set(R"(summary: "pod default/big was refused"
         findings { level: "problem" text: "UnexpectedAdmissionError: x" advice: "remove one" }
         findings { level: "note" text: "held by default/web" } findings { level: "ok" text: "fine" })",
      &node_.daemon.explain);
  EXPECT_EQ(Explain("pod", "big"), kOk);
  environment_.colours = true;
  EXPECT_EQ(Explain("claim", "gpus"), kOk);
  environment_.colours = false;
  EXPECT_EQ(Explain("resource", "example.com/x", "json"), kOk);
  ExpectGolden("explain.txt");
  EXPECT_THAT(node_.daemon.asked, ElementsAre("Explain pod { uid: \"uid-big\" namespace: \"default\" name: \"big\" }",
                                              "Explain claim { namespace: \"default\" name: \"gpus\" }",
                                              "Explain resource: \"example.com/x\""));
}

TEST_F(NodeVerbsTest, AClaimIsForgottenOnSomebodysWord) {
  Set(R"(uid: "c-2" pods { uid: "uid-x" })", &node_.daemon.forget);
  EXPECT_EQ(RunForgetClaim({.claim = "batch/old", .connection = connection_}, environment_), kOk);
  EXPECT_EQ(RunForgetClaim({.claim = "old", .namespace_name = "batch", .who = "bob", .connection = connection_},
                           environment_),
            kOk);
  EXPECT_EQ(RunForgetClaim({.claim = "old", .connection = connection_}, environment_), kNotFound);
  EXPECT_THAT(node_.daemon.asked, ElementsAre("ForgetClaim namespace: \"batch\" name: \"old\" who: \"alice\"",
                                              "ForgetClaim namespace: \"batch\" name: \"old\" who: \"bob\""));
  EXPECT_THAT(out(), HasSubstr("claim batch/old (uid c-2) forgotten; its drivers were not told\n"
                               "  it was referenced by pod uid-x\n"));
}

TEST_F(NodeVerbsTest, Drains) {
  EXPECT_EQ(RunDrain(connection_, environment_), kOk);
  EXPECT_EQ(out(), "draining: no pod is admitted any more, until kubelet_cm starts again\n");
}

TEST_F(NodeVerbsTest, VersionsAreThoseOfBoth) {
  for (const char* output : {"text", "json", "yaml"}) {
    EXPECT_EQ(RunVersion({.output = output, .connection = connection_}, environment_), kOk);
  }
  ExpectGolden("version.txt");
}

TEST_F(NodeVerbsTest, AVersionIsThereWithoutADaemon) {
  EXPECT_EQ(RunVersion({.connection = {.root_dir = "/nowhere"}}, environment_), kOk);
  EXPECT_EQ(out(), "cmctl 0.1.0\n");
  EXPECT_THAT(err(), HasSubstr("cmctl: no kubelet_cm answers at /nowhere/kubelet_cm.sock"));
  err_.str("");
  out_.str("");
  EXPECT_EQ(RunVersion({.client_only = true, .output = "json"}, environment_), kOk);
  EXPECT_EQ(out(), "{\n  \"client\": {\n    \"version\": \"0.1.0\"\n  },\n  \"daemon\": null\n}\n");
  EXPECT_EQ(err(), "");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
