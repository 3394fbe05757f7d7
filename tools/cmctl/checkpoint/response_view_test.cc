#include "tools/cmctl/checkpoint/response_view.h"

#include <string>

#include "deviceplugin/api/v1beta1.pb.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

std::string Response() {
  v1beta1::ContainerAllocateResponse response;
  (*response.mutable_envs())["TOKEN"] = "hush";
  (*response.mutable_annotations())["note"] = "seen";
  auto* mount = response.add_mounts();
  mount->set_host_path("/h");
  mount->set_container_path("/c");
  mount->set_read_only(true);
  auto* device = response.add_devices();
  device->set_host_path("/dev/h");
  device->set_container_path("/dev/c");
  device->set_permissions("rw");
  response.add_cdi_devices()->set_name("v.com/c=d");
  return response.SerializeAsString();
}

std::string Lines(bool secrets) {
  std::string lines;
  for (const ResponseItem& item : ResponseItems(Response())) lines += ItemText(item, secrets) + "\n";
  return lines;
}

TEST(ResponseViewTest, EveryPartHasItsLineAndSecretsAreRedacted) {
  EXPECT_EQ(Lines(false),
            "env TOKEN=<redacted>\n"
            "mount /h -> /c (read-only)\n"
            "device /dev/h -> /dev/c (rw)\n"
            "annotation note=seen\n"
            "cdi v.com/c=d\n");
  EXPECT_NE(Lines(true).find("TOKEN=hush"), std::string::npos);
}

TEST(ResponseViewTest, ThePartsAreCounted) {
  EXPECT_EQ(ResponseSummary(Response()), "1 env, 1 mount, 1 device, 1 annotation, 1 cdi");
  EXPECT_EQ(ResponseSummary(""), "none");
  EXPECT_EQ(ResponseSummary("\xff"), "unreadable");
}

TEST(ResponseViewTest, JsonHasEveryPart) {
  std::string json;
  JsonWriter writer(&json);
  WriteResponseJson(Response(), true, &writer);
  EXPECT_EQ(json, R"({"envs":{"TOKEN":"hush"},"annotations":{"note":"seen"},)"
                  R"("mounts":[{"containerPath":"/c","hostPath":"/h","readOnly":true}],)"
                  R"("devices":[{"containerPath":"/dev/c","hostPath":"/dev/h","permissions":"rw"}],)"
                  R"("cdiDevices":["v.com/c=d"]})");
}

// The message of A=B, which is CgYKAUESAUI= in base64.
TEST(ResponseViewTest, WithoutSecretsTheBytesAreRedactedWithTheValues) {
  const std::string content = R"({"entries":[{"podUID":"p","allocResp":"CgYKAUESAUI="}],"registered":null})";
  EXPECT_EQ(
      AddResponses(content, false),
      R"({"entries":[{"podUID":"p","allocResp":"\u003credacted\u003e","response":{"envs":{"A":)"
      R"("\u003credacted\u003e"},"annotations":{},"mounts":[],"devices":[],"cdiDevices":[]}}],"registered":null})");
  EXPECT_NE(AddResponses(content, true).find(R"("allocResp":"CgYKAUESAUI=","response":{"envs":{"A":"B"})"),
            std::string::npos);
}

TEST(ResponseViewTest, AnEntryWithoutAnAnswerHasAnEmptyOne) {
  EXPECT_EQ(AddResponses(R"({"entries":[{"allocResp":null}]})", false),
            R"({"entries":[{"allocResp":null,"response":{"envs":{},"annotations":{},"mounts":[],"devices":[],)"
            R"("cdiDevices":[]}}]})");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
