#include "common/gotext/json_compact.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Compact(std::string_view json) {
  std::string out;
  AppendCompactJson(json, &out);
  return out;
}

TEST(JsonCompactTest, DropsSpaceOutsideOfStrings) {
  EXPECT_EQ(Compact(" { \"a b\" :\n[ 1 ,\t\"\\\" x \" ] }\r\n"), "{\"a b\":[1,\"\\\" x \"]}");
}

TEST(JsonCompactTest, EscapesWhatHtmlWouldTrip) {
  EXPECT_EQ(Compact("\"<a>&\xE2\x80\xA8\xE2\x80\xA9\xE2\x80\xAA\""),
            "\"\\u003ca\\u003e\\u0026\\u2028\\u2029\xE2\x80\xAA\"");
}

TEST(JsonCompactTest, LeavesEscapesAndBadUtf8Alone) {
  EXPECT_EQ(Compact("\"\\\\\\u003C\xFF\xE2\""), "\"\\\\\\u003C\xFF\xE2\"");
  EXPECT_EQ(Compact("\"\\\\\" "), "\"\\\\\"");
}

}  // namespace
}  // namespace kubelet_cm
