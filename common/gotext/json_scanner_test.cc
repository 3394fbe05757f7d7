#include "common/gotext/json_scanner.h"

#include <string>
#include <string_view>

#include "common/gotext/json_error.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

absl::Status Scan(std::string_view text) {
  JsonTape tape;
  return JsonScanner(text, &tape).Scan();
}

// Go's verdict on a text: the error's text and how many bytes had been read.
struct Refusal {
  std::string_view text;
  std::string_view message;
  int64_t offset;
};

class JsonScannerRefusalTest : public ::testing::TestWithParam<Refusal> {};

TEST_P(JsonScannerRefusalTest, HasGosTextAndOffset) {
  const absl::Status status = Scan(GetParam().text);
  EXPECT_EQ(status.message(), std::string(GetParam().message)) << GetParam().text;
  EXPECT_EQ(JsonErrorOffset(status), GetParam().offset) << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    Structure, JsonScannerRefusalTest,
    ::testing::Values(
        Refusal{"", "unexpected end of JSON input", 0}, Refusal{" \n", "unexpected end of JSON input", 2},
        Refusal{"{", "unexpected end of JSON input", 1}, Refusal{"{\"a\"", "unexpected end of JSON input", 4},
        Refusal{"{\"a\":", "unexpected end of JSON input", 5}, Refusal{"{\"a\":1", "unexpected end of JSON input", 6},
        Refusal{"{\"a\":1,", "unexpected end of JSON input", 7}, Refusal{"[1,", "unexpected end of JSON input", 3},
        Refusal{"\"abc", "unexpected end of JSON input", 4},
        Refusal{"\xEF\xBB\xBF{}", "invalid character 'ï' looking for beginning of value", 1},
        Refusal{"[1,]", "invalid character ']' looking for beginning of value", 4},
        Refusal{"{,", "invalid character ',' looking for beginning of object key string", 2},
        Refusal{"{\"a\":1,}", "invalid character '}' looking for beginning of object key string", 8},
        Refusal{"{\"a\"}", "invalid character '}' after object key", 5},
        Refusal{"{\"a\":1 \"b\"", "invalid character '\"' after object key:value pair", 8},
        Refusal{"[1 2]", "invalid character '2' after array element", 4},
        Refusal{"[1}", "invalid character '}' after array element", 3},
        Refusal{"{} {}", "invalid character '{' after top-level value", 4},
        Refusal{std::string_view("{}\0", 3), "invalid character '\\x00' after top-level value", 3}));

INSTANTIATE_TEST_SUITE_P(
    Literals, JsonScannerRefusalTest,
    ::testing::Values(Refusal{"nul", "invalid character ' ' in literal null (expecting 'l')", 3},
                      Refusal{"nil", "invalid character 'i' in literal null (expecting 'u')", 2},
                      Refusal{"[trUe]", "invalid character 'U' in literal true (expecting 'u')", 4},
                      Refusal{"falsy", "invalid character 'y' in literal false (expecting 'e')", 5},
                      Refusal{"-", "invalid character ' ' in numeric literal", 1},
                      Refusal{"[-a]", "invalid character 'a' in numeric literal", 3},
                      Refusal{"+1", "invalid character '+' looking for beginning of value", 1},
                      Refusal{"01", "invalid character '1' after top-level value", 2},
                      Refusal{"[1.]", "invalid character ']' after decimal point in numeric literal", 4},
                      Refusal{"1e", "invalid character ' ' in exponent of numeric literal", 2},
                      Refusal{"1e+x", "invalid character 'x' in exponent of numeric literal", 4},
                      Refusal{"NaN", "invalid character 'N' looking for beginning of value", 1}));

INSTANTIATE_TEST_SUITE_P(
    Strings, JsonScannerRefusalTest,
    ::testing::Values(Refusal{"\"a\nb\"", "invalid character '\\n' in string literal", 3},
                      Refusal{"\"\x1f\"", "invalid character '\\x1f' in string literal", 2},
                      Refusal{"\"\\'\"", "invalid character '\\'' in string escape code", 3},
                      Refusal{"\"\\", "invalid character ' ' in string escape code", 2},
                      Refusal{"\"\\u12", "invalid character ' ' in \\u hexadecimal character escape", 5},
                      Refusal{"\"\\u12\"", "invalid character '\"' in \\u hexadecimal character escape", 6},
                      Refusal{"\"\\u00g0\"", "invalid character 'g' in \\u hexadecimal character escape", 6},
                      Refusal{"{'a':1}", "invalid character '\\'' looking for beginning of object key string", 2}));

TEST(JsonScannerTest, AcceptsWhatOtherParsersRefuse) {
  for (std::string_view text :
       {"\"\xff\xfe\"", "\"\\ud800\"", "\"\\udc00x\"", "\"\x7f\"", "-0", "1e999999", "123456789012345678901234567890",
        "\t[ 1 , 2 ]\r\n", "{\"\":0,\"\":1}", "{\"\xff\":1}"}) {
    EXPECT_TRUE(Scan(text).ok()) << text;
  }
}

TEST(JsonScannerTest, TextsLongerThanTheBoundAreNotRead) {
  EXPECT_EQ(Scan(std::string(kMaxJsonBytes + 1, ' ')).code(), absl::StatusCode::kResourceExhausted);
}

TEST(JsonScannerTest, NestingIsBoundedWhereGoBoundsIt) {
  const std::string deepest = std::string(kMaxJsonDepth, '[') + std::string(kMaxJsonDepth, ']');
  EXPECT_TRUE(Scan(deepest).ok());
  EXPECT_EQ(Scan("[" + deepest + "]").message(), "invalid character '[' exceeded max depth");
  std::string objects;
  for (size_t i = 0; i <= kMaxJsonDepth; ++i) objects += "{\"a\":";
  const absl::Status status = Scan(objects);
  EXPECT_EQ(status.message(), "invalid character '{' exceeded max depth");
  EXPECT_EQ(JsonErrorOffset(status), static_cast<int64_t>(kMaxJsonDepth * 5 + 1));
}

}  // namespace
}  // namespace kubelet_cm
