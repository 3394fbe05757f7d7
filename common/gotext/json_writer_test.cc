#include "common/gotext/json_writer.h"

#include <cstdint>
#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

// An empty checkpoint of a kubelet, as it lies on disk.
TEST(JsonWriterTest, WritesACheckpointAsGoDoes) {
  std::string text;
  JsonWriter writer(&text);
  writer.BeginObject();
  writer.Key("Data");
  writer.BeginObject();
  writer.Key("PodDeviceEntries");
  writer.Null();
  writer.Key("RegisteredDevices");
  writer.BeginObject();
  writer.EndObject();
  writer.EndObject();
  writer.Key("Checksum");
  writer.Uint(3467439661);
  writer.EndObject();
  EXPECT_EQ(text, R"({"Data":{"PodDeviceEntries":null,"RegisteredDevices":{}},"Checksum":3467439661})");
}

TEST(JsonWriterTest, CommasStandBetweenValuesOnly) {
  std::string text;
  JsonWriter writer(&text);
  writer.BeginArray();
  writer.BeginArray();
  writer.EndArray();
  writer.String("a");
  writer.Bool(true);
  writer.Raw("1,2");
  writer.Bool(false);
  writer.EndArray();
  EXPECT_EQ(text, R"([[],"a",true,1,2,false])");
}

TEST(JsonWriterTest, NumbersKeepTheirWholeRange) {
  std::string text;
  JsonWriter writer(&text);
  writer.BeginArray();
  writer.Int(std::numeric_limits<int64_t>::min());
  writer.Int(-1);
  writer.Uint(0);
  writer.Uint(std::numeric_limits<uint64_t>::max());
  writer.EndArray();
  EXPECT_EQ(text, "[-9223372036854775808,-1,0,18446744073709551615]");
}

TEST(JsonWriterTest, ByteSlicesArePaddedBase64) {
  std::string text;
  JsonWriter writer(&text);
  writer.BeginArray();
  writer.Base64("");
  writer.Base64("\x0a\x06\x0a\x01\x41\x12\x01\x42");
  writer.Base64(std::string_view("\0\xff", 2));
  writer.EndArray();
  EXPECT_EQ(text, R"(["","CgYKAUESAUI=","AP8="])");
}

TEST(JsonWriterTest, AppendsToWhatIsThere) {
  std::string text = "x";
  JsonWriter(&text).String("y");
  EXPECT_EQ(text, "x\"y\"");
}

TEST(JsonWriterTest, KeysAreEscapedInTheChosenDialect) {
  std::string text;
  JsonWriter writer(&text, ControlEscapes::kNumeric);
  writer.BeginObject();
  writer.Key("a<\b");
  writer.String("\f");
  writer.EndObject();
  EXPECT_EQ(text, R"({"a\u003c\u0008":"\u000c"})");
}

}  // namespace
}  // namespace kubelet_cm
