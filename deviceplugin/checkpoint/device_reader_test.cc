#include "deviceplugin/checkpoint/device_reader.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checkpoint_error.h"
#include "common/gotext/json_error.h"
#include "common/status/status_matchers.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/sample_content.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

constexpr char kV1File[] =
    R"({"Data":{"PodDeviceEntries":[{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu","DeviceIDs":["dev1","dev2"],"AllocResp":"CgYKAUESAUI="}],"RegisteredDevices":{"example.com/gpu":["dev1","dev2"]}},"Checksum":4071032665})";

const Personality& Kubelet(std::string_view version) {
  const auto personality = ParsePersonality(version);
  EXPECT_TRUE(personality.ok()) << personality.status();
  return **personality;
}

TEST(DeviceReaderTest, AV1FileIsLostOnTheUpgradeToTheFirst120) {
  EXPECT_TRUE(ReadDevicesAs(Kubelet("1.19.16"), kV1File).accepted());
  const DeviceVerdict verdict = ReadDevicesAs(Kubelet("1.20.0"), kV1File);
  EXPECT_THAT(std::string(verdict.status.message()), HasSubstr("cannot unmarshal array"));
  EXPECT_EQ(verdict.content.entries, std::nullopt);
}

TEST(DeviceReaderTest, AV1FileIsConvertedFrom1_20_14Until1_30) {
  for (const char* version : {"1.20.15", "1.22.17", "1.30.0"}) {
    const DeviceVerdict verdict = ReadDevicesAs(Kubelet(version), kV1File);
    EXPECT_EQ(verdict.format, DeviceFormat::kV1) << version;
    EXPECT_EQ((*verdict.content.entries)[0].devices, (DevicesPerNuma{{0, DeviceIds{"dev1", "dev2"}}}));
  }
  EXPECT_FALSE(ReadDevicesAs(Kubelet("1.31.0"), kV1File).accepted());
}

TEST(DeviceReaderTest, TheFallbackReturnsTheErrorOfV2) {
  const DeviceVerdict verdict = ReadDevicesAs(Kubelet("1.22.17"), R"({"Data":{"PodDeviceEntries":[{"PodUID":1}]}})");
  ASSERT_THAT(verdict.attempts, SizeIs(2));
  EXPECT_THAT(std::string(verdict.status.message()), HasSubstr("PodDevicesEntry.Data"));
  EXPECT_THAT(std::string(verdict.attempts[1].status.message()), HasSubstr("PodDevicesEntryV1.Data"));
}

TEST(DeviceReaderTest, TheFallbackMisreadsDevicesThatAreCalledLikeItsType) {
  DeviceContent content = SampleContent(1);
  content.entries->front().devices = DevicesPerNuma{{0, DeviceIds{"PodDevicesEntryV1"}}};
  const std::string file = EncodeDevices(content, DeviceLayout::kV1);
  EXPECT_TRUE(ReadDevicesAs(Kubelet("1.19.16"), file).accepted());
  EXPECT_FALSE(ReadDevicesAs(Kubelet("1.22.17"), file).accepted());
  EXPECT_TRUE(ReadDevices(file).valid());
}

TEST(DeviceReaderTest, EveryFormatIsReadIntoTheNewestForm) {
  DeviceContent content = SampleContent(3);
  for (DeviceEntry& entry : *content.entries) entry.devices = DevicesPerNuma{{0, DeviceIds{"a", "b"}}};
  for (const DeviceFormat format : {DeviceFormat::kV0Of19, DeviceFormat::kV1, DeviceFormat::kV2}) {
    const DeviceFile file = ReadDevices(EncodeDevices(content, LayoutOf(format)));
    EXPECT_OK(file.status);
    EXPECT_EQ(file.format, format);
    EXPECT_EQ(file.content, content);
  }
}

TEST(DeviceReaderTest, EntriesOf18AreGroupedByContainerAndResource) {
  const DeviceFile file = ReadDevices(
      R"({"Entries":[{"PodUID":"p","ContainerName":"c","ResourceName":"r","DeviceID":"d1"},{"PodUID":"p","ContainerName":"c","ResourceName":"r","DeviceID":"d2"}]})");
  EXPECT_EQ(file.format, DeviceFormat::kV0Of18);
  ASSERT_THAT(*file.content.entries, SizeIs(1));
  EXPECT_EQ(file.content.entries->front().devices, (DevicesPerNuma{{0, DeviceIds{"d1", "d2"}}}));
  EXPECT_EQ(file.content.entries->front().alloc_response, std::nullopt);
}

TEST(DeviceReaderTest, AV1FileWithoutDevicesIsToldByItsChecksum) {
  DeviceContent content = SampleContent(1);
  content.entries->front().devices = DevicesPerNuma{{0, std::nullopt}};
  const DeviceFile file = ReadDevices(EncodeDevices(content, DeviceLayout::kV1));
  EXPECT_EQ(file.format, DeviceFormat::kV1);
  EXPECT_OK(file.status);
}

TEST(DeviceReaderTest, AWrongChecksumKeepsTheContentAndBothSums) {
  std::string bytes = EncodeDevices(SampleContent(2), DeviceLayout::kV2);
  bytes.replace(bytes.find("gpu-000003"), 10, "gpu-999993");
  const DeviceFile file = ReadDevices(bytes);
  EXPECT_THAT(file.status, StatusIs(absl::StatusCode::kDataLoss, "checkpoint is corrupted"));
  EXPECT_EQ(MismatchOf(file.status),
            (ChecksumMismatch{.expected = *file.computed_checksum, .actual = *file.stored_checksum}));
  EXPECT_NE(file.stored_checksum, file.computed_checksum);
  EXPECT_THAT(*file.content.entries, SizeIs(2));
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, CheckpointProblemKind::kChecksumMismatch);
  EXPECT_THAT(file.problems[0].text, HasSubstr(absl::StrCat(*file.stored_checksum)));
}

TEST(DeviceReaderTest, WhatIsNoJsonIsReportedWithItsPlace) {
  const DeviceFile file = ReadDevices("{\"Data\":x}");
  ASSERT_THAT(file.problems, SizeIs(1));
  EXPECT_EQ(file.problems[0].kind, CheckpointProblemKind::kNotReadable);
  EXPECT_EQ(file.problems[0].offset, 9);
  EXPECT_EQ(file.format, std::nullopt);
}

TEST(DeviceReaderTest, OtherJsonIsNoDeviceCheckpoint) {
  for (const char* text : {"[]", "null", "{}", R"({"policyName":"none","defaultCpuSet":"","checksum":1})",
                           R"({"Data":"{}","Checksum":1})", R"({"version":"v1","entries":[],"checksum":1})"}) {
    const DeviceFile file = ReadDevices(text);
    EXPECT_FALSE(file.valid()) << text;
    ASSERT_THAT(file.problems, SizeIs(1)) << text;
    EXPECT_EQ(file.problems[0].kind, CheckpointProblemKind::kNotRecognised) << text;
  }
}

TEST(DeviceReaderTest, AFileThatIsTooLargeIsNotRead) {
  const std::string bytes(kMaxDeviceFileBytes + 1, ' ');
  EXPECT_TRUE(absl::IsResourceExhausted(ReadDevices(bytes).status));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
