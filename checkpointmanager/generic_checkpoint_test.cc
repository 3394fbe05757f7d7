#include "checkpointmanager/generic_checkpoint.h"

#include "absl/strings/str_cat.h"
#include "checkpointmanager/checksum/crc32.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;

// Go's print of a []byte, written out by hand: what several DRA drivers hash.
uint32_t FnvOfPrintedBytes(const std::string& json) {
  std::string text = "([]uint8)[";
  for (const char c : json) absl::StrAppend(&text, text.back() == '[' ? "" : " ", static_cast<int>(c));
  return Fnv1a(text + "]");
}

std::optional<std::string> How(const std::string& file, size_t index = 0) {
  const GenericCheckpoint checkpoint = ExplainGenericCheckpoint(file);
  EXPECT_OK(checkpoint.status);
  return index < checkpoint.checksums.size() ? checkpoint.checksums[index].verified : std::nullopt;
}

constexpr char kV1[] = R"("v1":{"preparedClaims":{"uid":{"devices":["gpu-0 <x>"]}}})";

TEST(GenericCheckpointTest, DriversThatHashTheirOwnJson) {
  // json.Marshal escapes < and >, in the file as under the checksum.
  const std::string v1 = R"("v1":{"preparedClaims":{"uid":["gpu \u003c"]}})";
  const uint32_t sum = FnvOfPrintedBytes("{\"checksum\":0," + v1 + "}");
  EXPECT_THAT(How(absl::StrCat("{\"checksum\":", sum, ",", v1, "}")),
              Optional(std::string("FNV-1a of Go's print of the bytes of the JSON with a checksum of 0")));
  EXPECT_EQ(How(absl::StrCat("{\"checksum\":", sum + 1, ",", v1, "}")), std::nullopt);
}

TEST(GenericCheckpointTest, AReformattedFileStillFits) {
  const uint32_t sum = FnvOfPrintedBytes(R"({"checksum":0,"v1":{"a":[1,2]}})");
  EXPECT_NE(How(absl::StrCat("{\n  \"checksum\": ", sum, ",\n  \"v1\": {\"a\": [1, 2]}\n}\n")), std::nullopt);
}

TEST(GenericCheckpointTest, EachVersionInAFileOfTwoHasItsOwnChecksum) {
  const uint32_t v2_sum = FnvOfPrintedBytes(R"({"checksum":0,"preparedClaims":{}})");
  const std::string v1 = R"("v1":{"preparedClaims":{}})";
  const uint32_t v1_sum = FnvOfPrintedBytes("{\"checksum\":0," + v1 + "}");
  const std::string file =
      absl::StrCat("{\"checksum\":", v1_sum, ",", v1, ",\"v2\":{\"checksum\":", v2_sum, ",\"preparedClaims\":{}}}");
  EXPECT_THAT(How(file, 0), Optional(HasSubstr("the JSON with only v1 and a checksum of 0")));
  EXPECT_THAT(How(file, 1), Optional(HasSubstr("the JSON with a checksum of 0")));
  EXPECT_EQ(ExplainGenericCheckpoint(file).checksums[1].path, "v2.checksum");
}

TEST(GenericCheckpointTest, TextsInsideOfTheJson) {
  EXPECT_THAT(How(absl::StrCat(R"({"data":"a\"b","checksum":)", Fnv1a("(string)a\"b"), "}")),
              Optional(std::string("FNV-1a of Go's print of the text data")));
  EXPECT_THAT(How(absl::StrCat(R"({"Data":"a\"b","Checksum":)", Crc32("a\"b"), "}")),
              Optional(std::string("CRC-32 of the text Data")));
}

TEST(GenericCheckpointTest, OtherSumsOfTheJson) {
  EXPECT_THAT(How(absl::StrCat(R"({"v1":{"a":1},"checksum":)", Crc32(R"({"a":1})"), "}")),
              Optional(std::string("CRC-32 of the JSON of v1")));
  EXPECT_THAT(How(absl::StrCat(R"({"v1":{"a":1},"checksum":)", Fnv1a(R"({"v1":{"a":1}})"), "}")),
              Optional(std::string("FNV-1a of the JSON without the checksum")));
}

TEST(GenericCheckpointTest, SaysWhereItCannotKnow) {
  const GenericCheckpoint checkpoint = ExplainGenericCheckpoint(absl::StrCat("{\"checksum\":5,", kV1, "}"));
  EXPECT_THAT(checkpoint.explanation, ElementsAre(HasSubstr("names types that are not in the file")));
  EXPECT_EQ(checkpoint.members.size(), 2u);
  EXPECT_EQ(checkpoint.members[1].name, "v1");
  EXPECT_EQ(checkpoint.members[1].description, "object with 1 member");
  EXPECT_THAT(ExplainGenericCheckpoint("{}").explanation, ElementsAre(HasSubstr("no checksum")));
  EXPECT_THAT(ExplainGenericCheckpoint(R"({"checksum":99999999999})").explanation, ElementsAre(HasSubstr("32 bits")));
  EXPECT_THAT(ExplainGenericCheckpoint(R"({"checksum":1.5})").explanation, ElementsAre(HasSubstr("no number")));
}

TEST(GenericCheckpointTest, WhatIsNoObjectIsAnError) {
  EXPECT_THAT(ExplainGenericCheckpoint("{").status,
              StatusIs(absl::StatusCode::kInvalidArgument, "unexpected end of JSON input"));
  EXPECT_THAT(ExplainGenericCheckpoint("[1]").status,
              StatusIs(absl::StatusCode::kInvalidArgument, "a checkpoint is a JSON object, not: list of 1"));
}

}  // namespace
}  // namespace kubelet_cm
