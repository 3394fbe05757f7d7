#include "deviceplugin/checkpoint/device_decoder.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

DecodedDevices Decode(const std::string& text, DeviceLayout layout) {
  const auto document = JsonDocument::Parse(text);
  EXPECT_TRUE(document.ok()) << document.status();
  return DecodeDevices(document->root(), layout);
}

TEST(DeviceDecoderTest, AbsentContentIsEmptyWithAChecksumAndNilWithout) {
  EXPECT_THAT(*Decode("{}", DeviceLayout::kV2).content.entries, IsEmpty());
  EXPECT_EQ(Decode("{}", DeviceLayout::kV0Of19).content.entries, std::nullopt);
  EXPECT_EQ(Decode("{}", DeviceLayout::kV0Of18).content.registered, std::nullopt);
}

TEST(DeviceDecoderTest, DevicesWithoutNodesStandUnderNodeZero) {
  const auto decoded = Decode(R"({"Data":{"PodDeviceEntries":[{"DeviceIDs":["a","b"]}]}})", DeviceLayout::kV1);
  EXPECT_EQ((*decoded.content.entries)[0].devices, (DevicesPerNuma{{0, DeviceIds{"a", "b"}}}));
}

TEST(DeviceDecoderTest, NilDevicesWithoutNodesStayNil) {
  const auto decoded = Decode(R"({"PodDeviceEntries":[{"DeviceIDs":null}]})", DeviceLayout::kV0Of19);
  EXPECT_EQ((*decoded.content.entries)[0].devices, (DevicesPerNuma{{0, std::nullopt}}));
}

TEST(DeviceDecoderTest, ErrorsCarryTheTypesOfTheLayout) {
  const std::string file = R"({"Data":{"PodDeviceEntries":[{"PodUID":1}]}})";
  EXPECT_THAT(std::string(Decode(file, DeviceLayout::kV1Fallback).status.message()), HasSubstr("PodDevicesEntryV1."));
  EXPECT_THAT(std::string(Decode(file, DeviceLayout::kV1).status.message()), HasSubstr("PodDevicesEntry."));
}

TEST(DeviceDecoderTest, ErrorsOfOldKubeletsKeepTheirOffsetBehindThePrefix) {
  const auto decoded = Decode(R"({"Entries":{}})", DeviceLayout::kV0Of18);
  EXPECT_THAT(std::string(decoded.status.message()), HasSubstr("failed to unmarshal checkpoint data: json: "));
  EXPECT_EQ(JsonErrorOffset(decoded.status), 12);
}

TEST(DeviceDecoderTest, TheChecksumHasSixtyFourBits) {
  EXPECT_EQ(Decode(R"({"Checksum":18446744073709551615})", DeviceLayout::kV2).checksum, 18446744073709551615u);
}

TEST(DeviceDecoderTest, TooManyEntriesAreAnError) {
  std::string text = "{\"Entries\":[{}";
  for (size_t i = 0; i < kMaxDeviceEntries; ++i) text += ",{}";
  const auto decoded = Decode(text + "]}", DeviceLayout::kV0Of18);
  EXPECT_TRUE(absl::IsResourceExhausted(decoded.status)) << decoded.status;
  EXPECT_EQ(decoded.content.entries, std::nullopt);
}

TEST(DeviceDecoderTest, AnEntryThatIsTooLongIsAnError) {
  const std::string id(kMaxDeviceEntryBytes, 'x');
  const auto decoded =
      Decode(absl::StrCat(R"({"Entries":[{"PodUID":"p"},{"DeviceID":")", id, R"("}]})"), DeviceLayout::kV0Of18);
  EXPECT_TRUE(absl::IsResourceExhausted(decoded.status));
  EXPECT_THAT(std::string(decoded.status.message()), HasSubstr("entry 1 is "));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
