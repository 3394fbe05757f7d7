// Every truncation and every flipped bit of two documents, held against simdjson where the two read alike.
#include <string>
#include <string_view>

#include "common/gotext/json_document.h"
#include "common/gotext/json_error.h"
#include "gtest/gtest.h"
#include "simdjson.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kDevices =
    R"({"Data":{"PodDeviceEntries":[{"PodUID":"pod1","ContainerName":"con1","ResourceName":"example.com/gpu",)"
    R"("DeviceIDs":{"-1":["dev5"],"0":["dev1","dev2"],"10":[]},"AllocResp":"CgYKAUESAUI="}],)"
    R"("RegisteredDevices":{"example.com/gpu":["dev1"],"none":null}},"Checksum":398046882})";

constexpr std::string_view kEverything =
    " [ -0.5e+10, 0, 12E-3, true,\tfalse , null, \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00 "
    "\xC3\xA9\xE4\xB8\x96\","
    " {\"a\" : {} , \"b\":[[ ]]}\r\n, 18446744073709551, \"\" ] ";

bool HasSurrogateEscape(const std::string& text) {
  for (size_t at = text.find("\\u"); at != std::string::npos; at = text.find("\\u", at + 2)) {
    if (at + 4 <= text.size() && (text[at + 2] | 0x20) == 'd' && text[at + 3] >= '8') return true;
  }
  return false;
}

// What simdjson refuses or accepts for reasons that are not Go's; the rest must agree.
bool GoDiffers(const std::string& text, simdjson::error_code error) {
  return error == simdjson::UTF8_ERROR || HasSurrogateEscape(text);
}

struct Tally {
  int accepted = 0;
  int refused = 0;
  int incomparable = 0;
};

void Judge(const std::string& text, Tally* tally) {
  const auto document = JsonDocument::Parse(text);
  if (!document.ok()) {
    const auto offset = JsonErrorOffset(document.status());
    ASSERT_TRUE(offset.has_value());
    ASSERT_GE(*offset, 0);
    ASSERT_LE(*offset, static_cast<int64_t>(text.size()));
  }
  simdjson::dom::parser parser;
  const simdjson::error_code error = parser.parse(simdjson::padded_string(text)).error();
  if (GoDiffers(text, error) && document.ok() != (error == simdjson::SUCCESS)) {
    ++tally->incomparable;
    return;
  }
  ++(document.ok() ? tally->accepted : tally->refused);
  ASSERT_EQ(document.ok(), error == simdjson::SUCCESS) << text << "\n" << document.status() << "\n" << error;
}

void JudgeTruncations(std::string_view text, Tally* tally) {
  for (size_t size = 0; size <= text.size(); ++size) Judge(std::string(text.substr(0, size)), tally);
}

void JudgeFlips(std::string_view text, Tally* tally) {
  for (size_t at = 0; at < text.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped(text);
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      Judge(flipped, tally);
    }
  }
}

TEST(JsonScannerSweepTest, TruncatedDocumentsAreRefusedUntilTheyAreWhole) {
  Tally devices;
  JudgeTruncations(kDevices, &devices);
  EXPECT_EQ(devices.accepted, 1);
  Tally everything;
  JudgeTruncations(kEverything, &everything);
  EXPECT_EQ(everything.accepted, 2);  // the last byte is a space
}

TEST(JsonScannerSweepTest, FlippedBitsOfACheckpointAreJudgedAlike) {
  Tally tally;
  JudgeFlips(kDevices, &tally);
  EXPECT_GT(tally.accepted, 500);
  EXPECT_GT(tally.refused, 500);
  EXPECT_GT(tally.incomparable, 100);  // the flips of the top bit, in strings
}

TEST(JsonScannerSweepTest, FlippedBitsOfEveryKindOfTokenAreJudgedAlike) {
  Tally tally;
  JudgeFlips(kEverything, &tally);
  EXPECT_GT(tally.accepted, 100);
  EXPECT_GT(tally.refused, 500);
}

}  // namespace
}  // namespace kubelet_cm
