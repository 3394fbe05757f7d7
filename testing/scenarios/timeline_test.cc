#include "testing/scenarios/timeline.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Names of the elements that are open at the end, or that ended without being open. The page is written as XML is, but
// for its first line and the style sheet, which has neither < nor &.
std::vector<std::string> Unbalanced(const std::string& page) {
  std::vector<std::string> open;
  size_t at = page.find("<html");
  while ((at = page.find('<', at)) != std::string::npos) {
    const size_t end = page.find('>', at);
    if (end == std::string::npos) return {"a tag without an end"};
    const std::string tag = page.substr(at + 1, end - at - 1);
    at = end;
    if (tag.ends_with("/")) continue;
    if (!tag.starts_with("/")) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      open.push_back(tag);
      return open;
    } else {
      open.pop_back();
    }
  }
  return open;
}

Story SomeStory() {
  Story story{.name = "a_story", .version = "1.20"};
  story.steps.push_back({.number = 1, .text = "a pod comes", .writes = 2});
  story.steps.back().after = {.kubelet = "1.20", .plugins = {{"p", "a/b"}}, .held = {{"pod", {"a/b dev-0"}}}};
  story.steps.push_back({.number = 2, .text = "the kubelet is killed", .kubelet = {KubeletEvent::kEnded}});
  story.steps.push_back(
      {.number = 3, .text = "a kubelet starts", .at = absl::Minutes(5), .kubelet = {KubeletEvent::kStarted}});
  return story;
}

TEST(TimelineTest, EveryThingHasItsLane) {
  EXPECT_THAT(TimelineHtml(SomeStory()),
              AllOf(HasSubstr(">kubelet</text>"), HasSubstr(">plugin p</text>"), HasSubstr(">a/b dev-0</text>"),
                    HasSubstr("class=\"ended\""), HasSubstr("class=\"started\""), HasSubstr(">5m</text>"),
                    HasSubstr(">passed</p>"), Not(HasSubstr("class=\"failed\""))));
}

TEST(TimelineTest, WhatTheStoryWasPlayedWithIsInTheTitle) {
  EXPECT_THAT(TimelineHtml(SomeStory()), HasSubstr("<title>a_story, as kubelet 1.20</title>"));
  EXPECT_THAT(TimelineHtml(SomeStory(), "kill after operation 7 (write /a)"),
              HasSubstr("<title>a_story, as kubelet 1.20: kill after operation 7 (write /a)</title>"));
}

TEST(TimelineTest, WhatTheKubeletLoggedIsBelowItsStepAndStaysText) {
  Story story = SomeStory();
  story.steps[0].log = {"E a.cc:1] \"<b>\""};
  const std::string page = TimelineHtml(story);
  EXPECT_THAT(page, HasSubstr("<pre>E a.cc:1] &quot;&lt;b&gt;&quot;\n</pre>"));
  EXPECT_THAT(Unbalanced(page), IsEmpty());
}

TEST(TimelineTest, ALongStoryIsDrawnInSeveralPieces) {
  Story story = SomeStory();
  while (story.steps.size() < 40) {
    story.steps.push_back({.number = static_cast<int>(story.steps.size()) + 1, .text = "a step"});
    story.steps.back().after = {.kubelet = "1.20"};
  }
  const std::string page = TimelineHtml(story);
  const std::vector<std::string> pieces = absl::StrSplit(page, "<div class=\"drawing\">");
  ASSERT_EQ(pieces.size(), 4U);
  for (size_t i = 1; i < pieces.size(); ++i) EXPECT_THAT(pieces[i], HasSubstr(">kubelet</text>"));
  EXPECT_THAT(pieces[2], AllOf(HasSubstr(">17</text>"), HasSubstr(">32</text>"), Not(HasSubstr(">33</text>"))));
}

TEST(TimelineTest, ThePageIsWellFormedAndNeedsNothingElse) {
  const std::string page = TimelineHtml(SomeStory());
  EXPECT_THAT(Unbalanced(page), IsEmpty());
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("src=")), Not(HasSubstr("href="))));
}

TEST(TimelineTest, NamesOfThingsStayText) {
  Story story = SomeStory();
  const std::string evil = "\"><script>alert('x')</script>&\n";
  story.name = story.teaches = story.steps[0].text = evil;
  story.steps[0].after.held[evil] = {evil};
  story.steps[0].after.claims[evil] = {evil};
  story.steps[0].failures = {evil};
  const std::string page = TimelineHtml(story);
  EXPECT_THAT(Unbalanced(page), IsEmpty());
  EXPECT_THAT(page, AllOf(Not(HasSubstr("<script")), Not(HasSubstr("alert('")), HasSubstr("&lt;script&gt;")));
}

TEST(TimelineTest, WhatFailedIsSeen) {
  Story story = SomeStory();
  story.steps[2].failures = {"expected this, got that"};
  EXPECT_THAT(TimelineHtml(story),
              AllOf(HasSubstr("class=\"failed\""), HasSubstr("expected this, got that"), HasSubstr(">failed</p>")));
}

TEST(TimelineTest, AStartThatIsRefusedIsNotDrawnAsOne) {
  Story story = SomeStory();
  story.steps[2].kubelet = {KubeletEvent::kRefused};
  EXPECT_THAT(TimelineHtml(story),
              AllOf(HasSubstr("<rect class=\"refused\""), HasSubstr("orange: one refused to start"),
                    Not(HasSubstr("<rect class=\"started\""))));
}

TEST(TimelineTest, ARestartOfAKubeletThatRunsIsAnEndAndAStart) {
  Story story = SomeStory();
  story.steps = {{.number = 1, .text = "a kubelet starts", .kubelet = {KubeletEvent::kEnded, KubeletEvent::kStarted}}};
  EXPECT_THAT(TimelineHtml(story), ContainsRegex("<rect class=\"ended\" x=\"230\" y=\"0\" width=\"23\"[^>]*>\n"
                                                 "<rect class=\"started\" x=\"253\" y=\"0\" width=\"23\""));
}

TEST(TimelineTest, WhereNothingBecameOfAKubeletIsNoMark) {
  Story story = SomeStory();
  story.steps[1].kubelet = story.steps[2].kubelet = {};
  EXPECT_THAT(TimelineHtml(story), Not(ContainsRegex("<rect class=\"(ended|started|refused)\"")));
}

TEST(TimelineTest, ADeviceOfTwoPodsIsSeen) {
  Story story = SomeStory();
  story.steps[0].after.held["other"] = {"a/b dev-0"};
  EXPECT_THAT(TimelineHtml(story), HasSubstr("class=\"twice\""));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
