#include "tools/cmctl/checkpoint/show.h"

#include <string>

#include "tools/cmctl/checkpoint/sample_files.h"
#include "tools/cmctl/checkpoint/verb_fixture.h"

namespace kubelet_cm::cmctl {
namespace {

using ShowTest = VerbFixture;

TEST_F(ShowTest, DevicesStandByNumaNode) {
  EXPECT_EQ(RunShow({.file = Put("a", kDevicesV2)}, environment_), kOk);
  EXPECT_EQ(out(),
            "devicemanager-v2, valid, checksum 398046882: 5 devices held in 1 entry of 1 pod, 1 registered resource\n"
            "\n"
            "POD    CONTAINER   RESOURCE          NUMA   DEVICES\n"
            "pod1   con1        example.com/gpu   -      dev5\n"
            "pod1   con1        example.com/gpu   0      dev1,dev2\n"
            "pod1   con1        example.com/gpu   2      dev3\n"
            "pod1   con1        example.com/gpu   10     dev4\n"
            "\n"
            "REGISTERED RESOURCE   HEALTHY   HELD\n"
            "example.com/gpu       5         5\n");
}

TEST_F(ShowTest, WideSaysWhatPluginsAnsweredAndKeepsTheSecret) {
  EXPECT_EQ(RunShow({.file = Put("a", kDevicesV1), .output = "wide", .show_response = true}, environment_), kOk);
  EXPECT_EQ(out(),
            "devicemanager-v1, valid, checksum 4071032665: 2 devices held in 1 entry of 1 pod, 1 registered resource\n"
            "\n"
            "POD    CONTAINER   RESOURCE          NUMA   DEVICES     RESPONSE\n"
            "pod1   con1        example.com/gpu   -      dev1,dev2   1 env\n"
            "\n"
            "REGISTERED RESOURCE   HEALTHY   HELD   DEVICES\n"
            "example.com/gpu       2         2      dev1,dev2\n"
            "\n"
            "response to container con1 of pod pod1 for example.com/gpu:\n"
            "  env A=<redacted>\n");
}

TEST_F(ShowTest, SecretsAreShownOnRequest) {
  RunShow({.file = Put("a", kDevicesV1), .show_response = true, .show_secrets = true}, environment_);
  EXPECT_NE(out().find("  env A=B\n"), std::string::npos);
}

TEST_F(ShowTest, ClaimsStandByDevice) {
  EXPECT_EQ(RunShow({.file = Put("a", kClaims137), .output = "wide"}, environment_), kOk);
  EXPECT_EQ(out(),
            "dra-head, valid, checksum 3447039487: 1 claim of 2 pods, 1 prepared device\n"
            "\n"
            "NAMESPACE   CLAIM   PODS    DRIVER            POOL   DEVICE   CDI         REQUESTS   SHARE ID   SKIPS   "
            "CLAIM UID\n"
            "ns          c1      p1,p2   drv.example.com   pool   dev      v.com/c=d   r1         -          *       "
            "uid-1\n");
}

TEST_F(ShowTest, TheHealthFileIsKnown) {
  EXPECT_EQ(RunShow({.file = Put("dra_health_state", kHealth)}, environment_), kOk);
  EXPECT_EQ(out(),
            "dra-health, valid: the health of 1 device of 1 driver\n"
            "\n"
            "DRIVER            POOL   DEVICE   HEALTH      UPDATED                MESSAGE\n"
            "drv.example.com   pool   dev      Unhealthy   2026-08-01T10:00:00Z   fan\n");
}

TEST_F(ShowTest, CheckpointsOfOtherProgramsAreShownWithoutAVerdict) {
  EXPECT_EQ(RunShow({.file = Put("a", R"({"checksum":7,"v1":{"a":1}})")}, environment_), kOk);
  EXPECT_EQ(out().find("generic, cannot be verified, checksum 7: 2 members\n"), 0);
  EXPECT_NE(out().find("v1         object with 1 member\n"), std::string::npos) << out();
}

TEST_F(ShowTest, ACorruptFileIsShownAndTheExitCodeSaysSo) {
  EXPECT_EQ(RunShow({.file = Put("a", Altered(kDevicesV1, "dev2", "dev3"))}, environment_), kCorrupt);
  EXPECT_EQ(out().find("devicemanager-v1, corrupt, checksum 4071032665: 3 devices"), std::string::npos);
  EXPECT_NE(out().find("problem: the checksum in the file is 4071032665, that of its content "), std::string::npos);
  EXPECT_NE(out().find("pod1   con1        example.com/gpu   -      dev1,dev3\n"), std::string::npos);
}

TEST_F(ShowTest, StandardInputIsAFile) {
  in_.str(kDevicesV1);
  EXPECT_EQ(RunShow({.file = "-", .output = "yaml"}, environment_), kOk);
  EXPECT_EQ(out().find("\"format\": \"devicemanager-v1\"\n\"checksum\": 4071032665\n"), 0);
}

TEST_F(ShowTest, AMissingFileIsOneLineOnStandardError) {
  EXPECT_EQ(RunShow({.file = "/f/none"}, environment_), kNotFound);
  EXPECT_EQ(err(), "cmctl: /f/none: not found\n");
  EXPECT_EQ(out(), "");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
