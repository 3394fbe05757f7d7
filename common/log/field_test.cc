#include "common/log/field.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

std::string Text(const LogValue& value) {
  std::string out;
  AppendTextValue(value, out);
  return out;
}

std::string Json(const LogValue& value) {
  std::string out;
  AppendJsonValue(value, out);
  return out;
}

TEST(LogValueTest, StringsAreQuotedAsGoQuotes) {
  EXPECT_EQ(Text("a \"b\"\t\x01"), R"(="a \"b\"\t\x01")");
  EXPECT_EQ(Text(std::string("")), R"(="")");
  EXPECT_EQ(Text(absl::string_view("x")), R"(="x")");
  EXPECT_EQ(Text(std::string_view("x")), R"(="x")");
}

TEST(LogValueTest, ListsOfNumbersAreJson) {
  EXPECT_EQ(Text(std::vector<int>{0, 7, 63}), "=[0,7,63]");
  EXPECT_EQ(Json(std::vector<int>{}), "[]");
}

TEST(LogValueTest, NumbersAndTruthValuesAreBare) {
  EXPECT_EQ(Text(true), "=true");
  EXPECT_EQ(Text(-3), "=-3");
  EXPECT_EQ(Text(std::numeric_limits<uint64_t>::max()), "=18446744073709551615");
  EXPECT_EQ(Text(0.1), "=0.1");
}

TEST(LogValueTest, ErrorShowsItsMessage) { EXPECT_EQ(Text(absl::NotFoundError("no \"x\"")), R"(="no \"x\"")"); }

TEST(LogValueTest, DurationReadsAsGoShowsIt) {
  EXPECT_EQ(Text(absl::Seconds(90)), R"(="1m30s")");
  EXPECT_EQ(Json(absl::Milliseconds(1500)), R"("1.5s")");
}

TEST(LogValueTest, ListIsJson) {
  const std::vector<std::string> list = {"a", "b\"c"};
  EXPECT_EQ(Text(list), R"(=["a","b\"c"])");
  EXPECT_EQ(Json(list), R"(["a","b\"c"])");
  EXPECT_EQ(Text(std::vector<std::string>()), "=[]");
}

TEST(LogValueTest, SeveralLinesAreIndented) {
  EXPECT_EQ(Text("one\ntwo"), "=<\n\tone\n\ttwo\n >");
  EXPECT_EQ(Text("one\ntwo\n"), "=<\n\tone\n\ttwo\n >");
  EXPECT_EQ(Text("\n\n"), "=<\n\t\n\t\n >");
}

TEST(LogValueTest, JsonEscapesWhatItMust) {
  EXPECT_EQ(Json("q\" b\\ n\n t\t c\x02 \u00e9"), "\"q\\\" b\\\\ n\\n t\\t c\\u0002 \u00e9\"");
}

TEST(LogValueTest, JsonReplacesWhatIsNotUtf8) { EXPECT_EQ(Json("a\xff\xc3z"), R"("a\ufffd\ufffdz")"); }

TEST(LogValueTest, JsonHasNoInfinity) {
  EXPECT_EQ(Json(-HUGE_VAL), R"("-Inf")");
  EXPECT_EQ(Json(std::nan("")), R"("NaN")");
}

}  // namespace
}  // namespace kubelet_cm
