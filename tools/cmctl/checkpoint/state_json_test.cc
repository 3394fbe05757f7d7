#include "tools/cmctl/checkpoint/state_json.h"

#include <string>

#include "gtest/gtest.h"
#include "tools/cmctl/checkpoint/recognition.h"
#include "tools/cmctl/checkpoint/sample_files.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(StateJsonTest, AValidFileHasItsSumsAndItsContent) {
  EXPECT_EQ(StateJson(*RecogniseStateFile("", kDevicesV1), {}),
            R"({"format":"devicemanager-v1","checksum":4071032665,"computedChecksum":4071032665,"valid":true,)"
            R"("problems":[],"content":{"entries":[{"podUID":"pod1","containerName":"con1",)"
            R"("resourceName":"example.com/gpu","deviceIDs":["dev1","dev2"],"allocResp":"CgYKAUESAUI=",)"
            R"("allocRespParses":true}],"registered":{"example.com/gpu":["dev1","dev2"]}}})");
}

TEST(StateJsonTest, AWrongSumIsAProblemAndTheContentStays) {
  const std::string json = StateJson(*RecogniseStateFile("", Altered(kClaims137, "3447039487", "1")), {});
  EXPECT_EQ(json.find(R"({"format":"dra-head","checksum":1,"computedChecksum":3447039487,"valid":false,)"
                      R"("problems":[{"kind":"checksum-mismatch",)"),
            0);
  EXPECT_NE(json.find(R"("content":{"claims":[{"ClaimUID":"uid-1")"), std::string::npos);
}

TEST(StateJsonTest, WhatIsNoJsonHasNoContent) {
  EXPECT_EQ(StateJson(*RecogniseStateFile("", R"({"Entries":)"), {}),
            R"({"format":"devicemanager-v0-1.8","checksum":null,"computedChecksum":null,"valid":false,"problems":[)"
            R"({"kind":"not-readable","text":"unexpected end of JSON input","offset":11}],"content":null})");
}

TEST(StateJsonTest, IndentsAndKeepsWhatStandsThere) {
  EXPECT_EQ(IndentedJson(R"({"a":[1.50,"é{"],"b":{},"c":[]})"),
            "{\n  \"a\": [\n    1.50,\n    \"é{\"\n  ],\n  \"b\": {},\n  \"c\": []\n}\n");
}

TEST(StateJsonTest, YamlTakesNoTextForANumber) {
  EXPECT_EQ(YamlOf(R"({"a":"1","b":[true,"yes"],"c":null,"d":4071032665})"),
            "\"a\": \"1\"\n\"b\":\n  - true\n  - \"yes\"\n\"c\": ~\n\"d\": 4071032665\n");
}

TEST(StateJsonTest, DepthIsBounded) {
  const std::string deep = std::string(9000, '[') + std::string(9000, ']');
  EXPECT_LT(IndentedJson(deep).size(), 40000);
  EXPECT_LT(YamlOf(deep).size(), 40000);
}

}  // namespace
}  // namespace kubelet_cm::cmctl
