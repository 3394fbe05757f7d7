#include "deviceplugin/checkpoint/device_encoder.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DeviceContent OneEntry(DevicesPerNuma devices) {
  DeviceContent content;
  content.entries = {DeviceEntry{.pod_uid = "pod1",
                                 .container_name = "con1",
                                 .resource_name = "example.com/gpu",
                                 .devices = std::move(devices),
                                 .alloc_response = std::string("\x0A\x06\x0A\x01\x41\x12\x01\x42")}};
  content.registered = RegisteredDevices{{"example.com/gpu", DeviceIds{"dev1"}}};
  return content;
}

TEST(DeviceEncoderTest, NodesAreSortedAsTextsInJsonAndAsNumbersUnderTheChecksum) {
  DeviceContent content = OneEntry(
      {{-1, DeviceIds{"dev5"}}, {0, DeviceIds{"dev1", "dev2"}}, {2, DeviceIds{"dev3"}}, {10, DeviceIds{"dev4"}}});
  content.registered = RegisteredDevices{{"example.com/gpu", DeviceIds{"dev1", "dev2", "dev3", "dev4", "dev5"}}};
  EXPECT_EQ(
      EncodeDevices(content, DeviceLayout::kV2),
      R"({"Data":{"PodDeviceEntries":[{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu","DeviceIDs":{"-1":["dev5"],"0":["dev1","dev2"],"10":["dev4"],"2":["dev3"]},"AllocResp":"CgYKAUESAUI="}],"RegisteredDevices":{"example.com/gpu":["dev1","dev2","dev3","dev4","dev5"]}},"Checksum":398046882})");
}

TEST(DeviceEncoderTest, NothingAtAllIsNullAndAnObject) {
  DeviceContent content;
  content.registered.emplace();
  EXPECT_EQ(EncodeDevices(content, DeviceLayout::kV2),
            R"({"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":3467439661})");
  EXPECT_EQ(EncodeDevices(content, DeviceLayout::kV0Of19), R"({"PodDeviceEntries":null,"RegisteredDevices":{}})");
  EXPECT_EQ(EncodeDevices(content, DeviceLayout::kV0Of18), R"({"Entries":null})");
}

TEST(DeviceEncoderTest, WithoutNodesADeviceOfTwoNodesIsWrittenOnce) {
  const DeviceContent content = OneEntry({{0, DeviceIds{"a", "b"}}, {1, DeviceIds{"b", "c"}}});
  EXPECT_THAT(EncodeDevices(content, DeviceLayout::kV1), HasSubstr(R"("DeviceIDs":["a","b","c"])"));
  EXPECT_THAT(
      EncodeDevices(content, DeviceLayout::kV0Of18),
      HasSubstr(
          R"("DeviceID":"b"},{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu","DeviceID":"c"}]})"));
}

TEST(DeviceEncoderTest, ControlCharactersFollowTheGoVersionOfTheKubelet) {
  const DeviceContent content = OneEntry({{0, DeviceIds{"\b"}}});
  EXPECT_THAT(EncodeDevices(content, DeviceLayout::kV2), HasSubstr(R"(["\b"])"));
  EXPECT_THAT(EncodeDevices(content, DeviceLayout::kV2, ControlEscapes::kNumeric), HasSubstr(R"(["\u0008"])"));
}

TEST(DeviceEncoderTest, TheNewestFormatLosesNothing) {
  EXPECT_THAT(LostByEncoding(OneEntry({{1, DeviceIds{"a"}}}), DeviceFormat::kV2), IsEmpty());
}

TEST(DeviceEncoderTest, V1LosesNodesAndOnlyThose) {
  EXPECT_THAT(LostByEncoding(OneEntry({{1, DeviceIds{"a"}}}), DeviceFormat::kV1), ElementsAre(HasSubstr("NUMA")));
  EXPECT_THAT(LostByEncoding(OneEntry({{0, DeviceIds{"a"}}}), DeviceFormat::kV1), IsEmpty());
}

TEST(DeviceEncoderTest, The18FormatLosesResponsesAndRegisteredDevices) {
  EXPECT_THAT(LostByEncoding(OneEntry({{0, DeviceIds{"a"}}}), DeviceFormat::kV0Of18),
              ElementsAre(HasSubstr("checksum"), HasSubstr("responses of 1 entries"), HasSubstr("1 registered")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
