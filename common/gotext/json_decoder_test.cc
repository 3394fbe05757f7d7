#include "common/gotext/json_decoder.h"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/gotext/json_error.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

constexpr GoUint kUint64{"uint64", std::numeric_limits<uint64_t>::max()};

// Runs `decode(decoder, root)` over a text and returns what the decoder says.
template <typename Decode>
absl::Status DecodeText(std::string_view text, Decode decode) {
  const auto document = JsonDocument::Parse(text);
  if (!document.ok()) return document.status();
  JsonDecoder decoder;
  decode(decoder, document->root());
  return decoder.status();
}

absl::Status DecodeUint(std::string_view text, const GoUint& type, uint64_t* out) {
  return DecodeText(text, [&](JsonDecoder& decoder, JsonValue value) { decoder.Uint(value, type, out); });
}

absl::Status DecodeBytes(std::string_view text, GoBytes* out) {
  return DecodeText(text, [&](JsonDecoder& decoder, JsonValue value) { decoder.Bytes(value, out); });
}

std::string Text(const GoBytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

TEST(JsonDecoderTest, UnsignedNumbersAreTakenAsSpelt) {
  uint64_t number = 7;
  EXPECT_TRUE(DecodeUint("18446744073709551615", kUint64, &number).ok());
  EXPECT_EQ(number, std::numeric_limits<uint64_t>::max());
  for (const std::string text : {"-0", "-1", "1.0", "1e3", "1e400", "18446744073709551616"}) {
    EXPECT_EQ(DecodeUint(text, kUint64, &number).message(),
              "json: cannot unmarshal number " + text + " into Go value of type uint64");
  }
  EXPECT_EQ(number, std::numeric_limits<uint64_t>::max());
}

TEST(JsonDecoderTest, RangeIsThatOfTheType) {
  uint64_t number = 0;
  EXPECT_TRUE(DecodeUint("4294967295", {"uint32", 0xFFFFFFFF}, &number).ok());
  EXPECT_EQ(DecodeUint("4294967296", {"uint32", 0xFFFFFFFF}, &number).message(),
            "json: cannot unmarshal number 4294967296 into Go value of type uint32");
}

TEST(JsonDecoderTest, SignedNumbersTakeMinusZero) {
  int64_t number = 7;
  const auto decode = [&](JsonDecoder& decoder, JsonValue value) { decoder.Int64(value, "int64", &number); };
  EXPECT_TRUE(DecodeText("-0", decode).ok());
  EXPECT_EQ(number, 0);
  EXPECT_EQ(DecodeText("9223372036854775808", decode).message(),
            "json: cannot unmarshal number 9223372036854775808 into Go value of type int64");
}

TEST(JsonDecoderTest, NullLeavesPlainValuesAlone) {
  uint64_t number = 7;
  std::string text = "old";
  bool flag = true;
  EXPECT_TRUE(DecodeUint("null", kUint64, &number).ok());
  EXPECT_TRUE(DecodeText("null", [&](JsonDecoder& d, JsonValue v) { d.String(v, "string", &text); }).ok());
  EXPECT_TRUE(DecodeText("null", [&](JsonDecoder& d, JsonValue v) { d.Bool(v, "bool", &flag); }).ok());
  EXPECT_EQ(number, 7u);
  EXPECT_EQ(text, "old");
  EXPECT_TRUE(flag);
}

TEST(JsonDecoderTest, StringsCanBeTakenWithoutACopy) {
  const std::string text = R"(["a","\n"])";
  const auto document = JsonDocument::Parse(text);
  JsonDecoder decoder;
  GoSlice<std::string_view> strings;
  decoder.Slice(document->root(), "[]string", &strings,
                [&](JsonValue value, std::string_view* out) { decoder.String(value, "string", out); });
  EXPECT_THAT(strings, ElementsAre("a", "\n"));
  EXPECT_EQ(strings[0].data(), text.data() + 2);
}

TEST(JsonDecoderTest, WrongTypesAreNamedAsGoNamesThem) {
  bool flag = false;
  const auto decode = [&](JsonDecoder& decoder, JsonValue value) { decoder.Bool(value, "bool", &flag); };
  for (const auto& [text, name] : std::map<std::string, std::string>{
           {"[1]", "array"}, {"{}", "object"}, {"\"true\"", "string"}, {"-1.50", "number"}}) {
    EXPECT_EQ(DecodeText(text, decode).message(), "json: cannot unmarshal " + name + " into Go value of type bool");
  }
}

TEST(JsonDecoderTest, OffsetsAreThoseOfGo) {
  bool flag = false;
  const auto decode = [&](JsonDecoder& decoder, JsonValue value) { decoder.Bool(value, "bool", &flag); };
  EXPECT_EQ(JsonErrorOffset(DecodeText("  [1,2]", decode)), 3);
  EXPECT_EQ(JsonErrorOffset(DecodeText("  \"ab\"  ", decode)), 6);
  EXPECT_EQ(JsonErrorOffset(DecodeText("123", decode)), 3);
}

TEST(JsonDecoderTest, BytesAreBase64OrNumbers) {
  GoBytes bytes;
  EXPECT_TRUE(DecodeBytes(R"("QUI\n=")", &bytes).ok());
  EXPECT_EQ(Text(bytes), "AB");
  EXPECT_TRUE(DecodeBytes("[67,null]", &bytes).ok());
  EXPECT_EQ(Text(bytes), "CB");
  EXPECT_TRUE(DecodeBytes("\"\"", &bytes).ok());
  EXPECT_FALSE(bytes.is_nil());
  EXPECT_TRUE(DecodeBytes("null", &bytes).ok());
  EXPECT_TRUE(bytes.is_nil());
}

TEST(JsonDecoderTest, BadBytesHaveGosErrors) {
  GoBytes bytes;
  EXPECT_EQ(DecodeBytes("\"QUJD!\"", &bytes).message(), "illegal base64 data at input byte 4");
  EXPECT_EQ(DecodeBytes("[1,256]", &bytes).message(), "json: cannot unmarshal number 256 into Go value of type uint8");
  EXPECT_EQ(DecodeBytes("5", &bytes).message(), "json: cannot unmarshal number into Go value of type []uint8");
}

TEST(JsonDecoderTest, PointersAreNilOrPointToTheValue) {
  std::optional<std::string> pointer;
  const auto decode = [&](JsonDecoder& decoder, JsonValue value) {
    decoder.Pointer(value, &pointer, [&](JsonValue v, std::string* out) { decoder.String(v, "string", out); });
  };
  EXPECT_TRUE(DecodeText("\"a\"", decode).ok());
  EXPECT_EQ(pointer, "a");
  EXPECT_TRUE(DecodeText("null", decode).ok());
  EXPECT_EQ(pointer, std::nullopt);
}

class JsonDecoderMapTest : public ::testing::Test {
 protected:
  absl::Status Decode(std::string_view text) {
    return DecodeText(text, [&](JsonDecoder& decoder, JsonValue value) {
      decoder.Map(value, {"map[int64]string", "int64"}, &map_,
                  [&](JsonValue v, std::string* out) { decoder.String(v, "string", out); });
    });
  }

  std::optional<std::map<int64_t, std::string>> map_;
};

TEST_F(JsonDecoderMapTest, MergesMembersAndReplacesValues) {
  EXPECT_TRUE(Decode(R"({"-1":"a","0":"b","00":"c"})").ok());
  EXPECT_TRUE(Decode(R"({"2":"d","-1":null})").ok());
  EXPECT_THAT(*map_, ElementsAre(Pair(-1, ""), Pair(0, "c"), Pair(2, "d")));
}

TEST_F(JsonDecoderMapTest, EmptyIsNotNil) {
  EXPECT_TRUE(Decode("{}").ok());
  EXPECT_TRUE(map_.has_value());
  EXPECT_TRUE(Decode("null").ok());
  EXPECT_FALSE(map_.has_value());
}

TEST_F(JsonDecoderMapTest, KeysThatAreNoNumbersAreErrors) {
  const absl::Status status = Decode(R"({"1":"a", "0 ":"b","2":"c"})");
  EXPECT_EQ(status.message(), "json: cannot unmarshal number 0  into Go value of type int64");
  EXPECT_EQ(JsonErrorOffset(status), 11);
  EXPECT_THAT(*map_, ElementsAre(Pair(1, "a"), Pair(2, "c")));
}

TEST(FieldMatchesTest, FoldsAsGoDoes) {
  EXPECT_TRUE(FieldMatches("PodUIDs", "poduidS"));
  EXPECT_TRUE(FieldMatches("checksum", "CHEC\u212A\u017Fum"));
  EXPECT_TRUE(FieldMatches("a_1", "A_1"));
  EXPECT_TRUE(FieldMatches("", ""));
}

TEST(FieldMatchesTest, TellsOthersApart) {
  for (std::string_view key : {"", "PodUID", "PodUIDss", "PodUID5", "P\u00f6dUIDs", "\u212AodUIDs", "PodUID\xC5"}) {
    EXPECT_FALSE(FieldMatches("PodUIDs", key)) << key;
  }
  EXPECT_FALSE(FieldMatches("a[", "a{"));
}

}  // namespace
}  // namespace kubelet_cm
