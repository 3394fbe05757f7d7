#include "deviceplugin/checkpoint/device_salvage.h"

#include <string>

#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto Says(std::string text) { return Field(&CheckpointProblem::text, HasSubstr(text)); }

TEST(DeviceSalvageTest, AValidFileIsKeptWhole) {
  const DeviceSalvage salvage = SalvageDevices(EncodeDevices(SampleContent(3), DeviceLayout::kV2));
  EXPECT_EQ(salvage.content, SampleContent(3));
  EXPECT_THAT(salvage.problems, IsEmpty());
}

TEST(DeviceSalvageTest, ATruncatedFileKeepsItsWholeEntries) {
  for (const DeviceLayout layout : {DeviceLayout::kV0Of19, DeviceLayout::kV1, DeviceLayout::kV2}) {
    std::string bytes = EncodeDevices(SampleContent(3), layout);
    bytes.resize(bytes.size() * 3 / 4);
    const DeviceSalvage salvage = SalvageDevices(bytes);
    ASSERT_THAT(*salvage.content.entries, SizeIs(2));
    EXPECT_EQ(salvage.content.entries->back().pod_uid, SampleEntry(1).pod_uid);
    EXPECT_EQ(salvage.content.entries->back().alloc_response, SampleEntry(1).alloc_response);
    EXPECT_EQ(salvage.entries_lost, 1u);
    EXPECT_THAT(salvage.problems, ElementsAre(Says("unexpected end"), Says("entry 2, at byte"), Says("registered")));
  }
}

TEST(DeviceSalvageTest, NodesSurvive) {
  std::string bytes = EncodeDevices(SampleContent(2), DeviceLayout::kV2);
  bytes.pop_back();
  EXPECT_EQ(SalvageDevices(bytes).content, SampleContent(2));
}

TEST(DeviceSalvageTest, ABrokenEntryCostsItselfAlone) {
  std::string bytes = EncodeDevices(SampleContent(3), DeviceLayout::kV2);
  const size_t middle = bytes.find("gpu-000010");
  bytes[middle - 1] = '\'';
  const DeviceSalvage salvage = SalvageDevices(bytes);
  EXPECT_THAT(*salvage.content.entries, ElementsAre(SampleEntry(0), SampleEntry(2)));
  EXPECT_EQ(salvage.content.registered, SampleContent(0).registered);
  EXPECT_EQ(salvage.entries_lost, 1u);
}

TEST(DeviceSalvageTest, AWrongChecksumKeepsAllAndSaysSo) {
  std::string bytes = EncodeDevices(SampleContent(2), DeviceLayout::kV2);
  bytes.replace(bytes.find("gpu-000003"), 10, "gpu-999993");
  const DeviceSalvage salvage = SalvageDevices(bytes);
  EXPECT_THAT(*salvage.content.entries, SizeIs(2));
  EXPECT_THAT(salvage.problems, ElementsAre(Says("the checksum in the file is")));
}

TEST(DeviceSalvageTest, EntriesOf18AreGrouped) {
  DeviceContent content = SampleContent(2);
  std::string bytes = EncodeDevices(content, DeviceLayout::kV0Of18);
  bytes.resize(bytes.size() - 10);
  const DeviceSalvage salvage = SalvageDevices(bytes);
  ASSERT_THAT(*salvage.content.entries, SizeIs(2));
  EXPECT_THAT(FlatDevices((*salvage.content.entries)[0]), SizeIs(8));
  EXPECT_THAT(FlatDevices((*salvage.content.entries)[1]), SizeIs(7));
}

TEST(DeviceSalvageTest, RegisteredDevicesAreKeptUpToTheDamage) {
  const DeviceSalvage salvage =
      SalvageDevices(R"({"Data":{"PodDeviceEntries":null,"RegisteredDevices":{"a":["1"],"b":null,"c":["2)");
  EXPECT_EQ(salvage.content.registered, (RegisteredDevices{{"a", DeviceIds{"1"}}, {"b", std::nullopt}}));
}

TEST(DeviceSalvageTest, AnIndentedFileIsSalvagedToo) {
  const DeviceSalvage salvage = SalvageDevices("{\n \"PodDeviceEntries\": [\n  {\n   \"PodUID\": \"p\"\n  }\n ], x");
  EXPECT_THAT(*salvage.content.entries, ElementsAre(Field(&DeviceEntry::pod_uid, "p")));
}

TEST(DeviceSalvageTest, RubbishHoldsNothing) {
  EXPECT_THAT(*SalvageDevices(std::string(100'000, '{')).content.entries, IsEmpty());
  EXPECT_THAT(*SalvageDevices("").content.entries, IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
