#include "deviceplugin/checkpoint/device_detection.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<DeviceLayout> Detect(const std::string& text) {
  const auto document = JsonDocument::Parse(text);
  EXPECT_TRUE(document.ok()) << document.status();
  return DetectDeviceLayouts(document->root());
}

TEST(DeviceDetectionTest, ListsOfDevicesAreV1AndMapsV2) {
  EXPECT_EQ(Detect(R"({"Data":{"PodDeviceEntries":[{"DeviceIDs":null},{"DeviceIDs":["a"]}]}})").front(),
            DeviceLayout::kV1);
  EXPECT_EQ(Detect(R"({"Data":{"PodDeviceEntries":[{"DeviceIDs":{"0":["a"]}}]}})").front(), DeviceLayout::kV2);
}

TEST(DeviceDetectionTest, WithoutDevicesItCanBeEither) {
  EXPECT_THAT(Detect(R"({"Data":{"PodDeviceEntries":null},"Checksum":1})"),
              ElementsAre(DeviceLayout::kV2, DeviceLayout::kV1));
  EXPECT_THAT(Detect(R"({"Checksum":1})"), ElementsAre(DeviceLayout::kV2, DeviceLayout::kV1));
}

TEST(DeviceDetectionTest, FilesWithoutChecksumHaveOneFormat) {
  EXPECT_THAT(Detect(R"({"PodDeviceEntries":null,"RegisteredDevices":{}})"), ElementsAre(DeviceLayout::kV0Of19));
  EXPECT_THAT(Detect(R"({"Entries":null})"), ElementsAre(DeviceLayout::kV0Of18));
}

TEST(DeviceDetectionTest, EntriesWithDevicesAreOf18WhateverStandsBesideThem) {
  EXPECT_THAT(Detect(R"({"Entries":[{"DeviceID":"a"}],"Checksum":5})"), ElementsAre(DeviceLayout::kV0Of18));
  EXPECT_THAT(Detect(R"({"entries":[{"ClaimUID":"a"}],"checksum":5})"), IsEmpty());
}

TEST(DeviceDetectionTest, KeysCompareAsInGo) {
  EXPECT_EQ(Detect(R"({"data":{"podDeviceEntries":[{"deviceids":["a"]}]}})").front(), DeviceLayout::kV1);
}

TEST(DeviceDetectionTest, OtherManagersFilesAreNone) {
  for (const char* text :
       {"[]", "3", "{}", R"({"Data":"{}","Checksum":1})", R"({"version":"v1","entries":[],"checksum":1})",
        R"({"policyName":"static","defaultCpuSet":"0","checksum":1})"}) {
    EXPECT_THAT(Detect(text), IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
