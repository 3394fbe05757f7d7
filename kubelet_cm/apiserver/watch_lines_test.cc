#include "kubelet_cm/apiserver/watch_lines.h"

#include <string>
#include <vector>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::apiserver {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> All(WatchLines& lines) {
  std::vector<std::string> all;
  while (const auto line = lines.Next()) all.emplace_back(*line);
  return all;
}

TEST(WatchLinesTest, GivesLinesWhereverTheBytesAreDivided) {
  WatchLines lines(100);
  lines.Add("on");
  EXPECT_THAT(All(lines), IsEmpty());
  lines.Add("e\ntwo\nth");
  EXPECT_THAT(All(lines), ElementsAre("one", "two"));
  lines.Add("ree");
  EXPECT_THAT(All(lines), IsEmpty());
  lines.Add("\n\n\nfour\n");
  EXPECT_THAT(All(lines), ElementsAre("three", "four"));
}

TEST(WatchLinesTest, BoundsALineThatDoesNotEnd) {
  WatchLines lines(10);
  lines.Add("0123456789");
  EXPECT_THAT(All(lines), IsEmpty());
  EXPECT_OK(lines.CheckLength());
  lines.Add("x");
  EXPECT_THAT(All(lines), IsEmpty());
  EXPECT_THAT(lines.CheckLength(), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(WatchLinesTest, BoundsWhatIsLeftAfterWholeLines) {
  WatchLines lines(4);
  lines.Add("a long line\nabcd");
  EXPECT_THAT(All(lines), ElementsAre("a long line"));
  EXPECT_OK(lines.CheckLength());
}

}  // namespace
}  // namespace kubelet_cm::apiserver
