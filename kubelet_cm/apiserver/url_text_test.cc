#include "kubelet_cm/apiserver/url_text.h"

#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

TEST(UrlTextTest, LeavesNamesAsTheyAre) {
  EXPECT_EQ(UrlEscape("gpu-7.example.com"), "gpu-7.example.com");
  EXPECT_EQ(UrlEscape(""), "");
}

TEST(UrlTextTest, EscapesWhatWouldMeanSomethingElse) {
  EXPECT_EQ(UrlEscape("a/b?c=d&e#f%g h\n"), "a%2Fb%3Fc%3Dd%26e%23f%25g%20h%0A");
  EXPECT_EQ(UrlEscape("\xc3\xa4"), "%C3%A4");
  EXPECT_EQ(UrlEscape("../.."), "..%2F..");
  EXPECT_EQ(UrlEscape(".."), "%2E.");
  EXPECT_EQ(UrlEscape("."), "%2E");
}

TEST(UrlTextTest, EscapesValuesOfFieldSelectors) {
  EXPECT_EQ(FieldValue("node-1"), "node-1");
  EXPECT_EQ(FieldValue(R"(a,b=c\d)"), R"(a\,b\=c\\d)");
}

}  // namespace
}  // namespace kubelet_cm::apiserver
