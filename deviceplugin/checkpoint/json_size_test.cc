#include "deviceplugin/checkpoint/json_size.h"

#include <string>

#include "common/gotext/json_writer.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

size_t Written(const std::string& text) {
  std::string json;
  JsonWriter(&json).String(text);
  return json.size() + 1;  // the comma
}

TEST(JsonSizeTest, OrdinaryTextsAreCountedExactly) {
  for (const std::string text : {"", "GPU-6f3c1a52-9d2e-4b6f-8d11-2a3b4c5d6e7f", "a/b c:0000.~"}) {
    EXPECT_EQ(JsonBytesAtMost(text), Written(text)) << text;
  }
}

TEST(JsonSizeTest, NoTextTakesMore) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(3, static_cast<char>(byte));
    EXPECT_GE(JsonBytesAtMost(text), Written(text)) << byte;
  }
  for (const std::string text : {"\u2028", "\u00e9", "\U0001f600", "<&>\"\\"}) {
    EXPECT_GE(JsonBytesAtMost(text), Written(text)) << text;
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
