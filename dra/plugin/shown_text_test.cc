#include "dra/plugin/shown_text.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::EndsWith;

TEST(ShownTextTest, ListsAreAsGoShowsThem) {
  EXPECT_EQ(ShownQuotedList({"v1.DRAPlugin", "a\nb"}), R"(["v1.DRAPlugin" "a\nb"])");
  EXPECT_EQ(ShownList({"1.0", "2.0"}), "[1.0 2.0]");
  EXPECT_EQ(ShownQuotedList({}), "[]");
}

TEST(ShownTextTest, LongTextsAndListsAreCut) {
  EXPECT_EQ(Shown(std::string(256, 'x')), std::string(256, 'x'));
  EXPECT_EQ(Shown(std::string(257, 'x')), std::string(256, 'x') + "...");
  EXPECT_THAT(ShownList(std::vector<std::string>(17, "x")), EndsWith(" x x ...]"));
}

}  // namespace
}  // namespace kubelet_cm::dra
