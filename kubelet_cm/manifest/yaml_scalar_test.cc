#include "kubelet_cm/manifest/yaml_scalar.h"

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

void ExpectType(JsonType type, std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    ASSERT_OK_AND_ASSIGN(const YamlScalar scalar, ResolvePlainScalar(text));
    EXPECT_EQ(scalar.type, type) << text;
  }
}

TEST(YamlScalarTest, KnowsTheWordsOfYaml11) {
  ExpectType(JsonType::kNull, {"", "~", "null", "Null", "NULL"});
  ExpectType(JsonType::kBool, {"true", "True", "TRUE", "yes", "On", "OFF", "n", "No", "false"});
  ExpectType(JsonType::kString, {"tRUE", "nULL", "yess", "nothing", "none", "NuLL", "truE"});
}

TEST(YamlScalarTest, ReadsNumbersInEveryBase) {
  for (const auto& [text, json] :
       std::initializer_list<std::pair<const char*, const char*>>{{"0", "0"},
                                                                  {"-0", "0"},
                                                                  {"+12", "12"},
                                                                  {"1_000", "1000"},
                                                                  {"010", "8"},
                                                                  {"0o10", "8"},
                                                                  {"0x1F", "31"},
                                                                  {"-0b101", "-5"},
                                                                  {"18446744073709551615", "18446744073709551615"},
                                                                  {"-9223372036854775808", "-9223372036854775808"}}) {
    EXPECT_THAT(ResolvePlainScalar(text), IsOkAndHolds(YamlScalar{JsonType::kNumber, json})) << text;
  }
}

TEST(YamlScalarTest, SpellsFractionsAsJson) {
  for (const auto& [text, json] :
       std::initializer_list<std::pair<const char*, const char*>>{{".5", "0.5"},
                                                                  {"5.", "5"},
                                                                  {"+1.50", "1.50"},
                                                                  {"-.25e2", "-0.25e2"},
                                                                  {"1E+3", "1E+3"},
                                                                  {"08", "8"},
                                                                  {"007.5", "7.5"},
                                                                  {"18446744073709551616", "18446744073709551616"}}) {
    EXPECT_THAT(ResolvePlainScalar(text), IsOkAndHolds(YamlScalar{JsonType::kNumber, json})) << text;
  }
}

TEST(YamlScalarTest, LeavesTheRestAsText) {
  ExpectType(JsonType::kString, {"500m", "1.2.3", "0x", "0xfg", "1e", "1e5.5", "-", "+", ".", "--1", "+-1", "1 2", "e5",
                                 "2001-01-01", "1e999", "_1", "<<", "hello"});
}

TEST(YamlScalarTest, RefusesNumbersThatJsonDoesNotHave) {
  for (const char* text : {".inf", "-.Inf", "+.INF", ".nan", ".NaN"}) {
    EXPECT_THAT(ResolvePlainScalar(text), StatusIs(absl::StatusCode::kInvalidArgument)) << text;
  }
}

}  // namespace
}  // namespace kubelet_cm
