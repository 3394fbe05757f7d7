#include "tools/cmctl/checkpoint/recognition.h"

#include <string>

#include "gtest/gtest.h"
#include "tools/cmctl/checkpoint/claim_state_file.h"
#include "tools/cmctl/checkpoint/device_state_file.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"
#include "tools/cmctl/checkpoint/sample_files.h"

namespace kubelet_cm::cmctl {
namespace {

std::string FormatOf(std::string bytes, std::string_view name = "copy") {
  return RecogniseStateFile(name, std::move(bytes))->verdict().format;
}

TEST(RecognitionTest, EveryKindIsToldByItsContent) {
  EXPECT_EQ(FormatOf(kDevicesV1), "devicemanager-v1");
  EXPECT_EQ(FormatOf(kDevicesV2), "devicemanager-v2");
  EXPECT_EQ(FormatOf(R"({"Entries":null})"), "devicemanager-v0-1.8");
  EXPECT_EQ(FormatOf(R"({"PodDeviceEntries":null,"RegisteredDevices":{}})"), "devicemanager-v0-1.9");
  EXPECT_EQ(FormatOf(kClaims130), "dra-v1.30");
  EXPECT_EQ(FormatOf(kClaims137), "dra-head");
  EXPECT_EQ(FormatOf(kHealth), "dra-health");
  EXPECT_EQ(FormatOf(R"({"checksum":7,"v1":{}})"), "generic");
  EXPECT_EQ(FormatOf(R"({"policyName":"none","defaultCpuSet":"","entries":{},"checksum":1})"), "generic");
  EXPECT_EQ(FormatOf("[]"), "");
}

TEST(RecognitionTest, WhatIsCutOffIsToldByWhatIsLeft) {
  EXPECT_EQ(FormatOf(std::string(kDevicesV1).substr(0, 150)), "devicemanager-v1");
  EXPECT_EQ(FormatOf(std::string(kDevicesV2).substr(0, 150)), "devicemanager-v2");
  EXPECT_EQ(FormatOf(std::string(kClaims130).substr(0, 250)), "dra-v1.28");
  EXPECT_EQ(FormatOf(std::string(kClaims137).substr(0, 250)), "dra-v1.31");
}

TEST(RecognitionTest, AChecksumAloneIsWhoseItIs) {
  EXPECT_EQ(FormatOf(R"({"Checksum":4010664294})"), "dra-head");
  EXPECT_EQ(FormatOf(R"({"Checksum":7})"), "devicemanager-v2");
}

TEST(RecognitionTest, ClaimsThatLostTheirChecksumAreNoDevices) {
  EXPECT_EQ(FormatOf(R"({"version":"v1","entries":[]})"), "dra-v1.28");
}

TEST(RecognitionTest, TheNameDecidesWhatTheContentDoesNot) {
  EXPECT_EQ(FormatOf("{}", "dra_manager_state.copy"), "dra-head");
  EXPECT_EQ(RecogniseStateFile("kubelet_internal_checkpoint", "{}")->verdict().valid, false);
  EXPECT_EQ(FormatOf("", "dra_manager_state"), "dra-v1.27");
  EXPECT_EQ(FormatOf(""), "");
}

TEST(RecognitionTest, WhatOneReaderAloneTakesIsThatOnes) {
  EXPECT_EQ(FormatOf(R"({"Checksum":4010664294})"), "dra-head");
  EXPECT_EQ(FormatOf(R"({"Data":null})"), "dra-head");
  EXPECT_EQ(FormatOf(R"({"Data":null,"Checksum":5})"), "devicemanager-v2");
  // Every object passes for claims; this one is a damaged file of devices all the same.
  EXPECT_EQ(FormatOf(R"({"PodDeviceEntries":{},"RegisteredDevices":{}})"), "devicemanager-v0-1.9");
}

}  // namespace
}  // namespace kubelet_cm::cmctl
