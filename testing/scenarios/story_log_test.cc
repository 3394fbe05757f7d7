#include "testing/scenarios/story_log.h"

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

TEST(StoryLogTest, NothingIsKeptBeforeSomebodyListens) {
  StoryLog log([] { return false; });
  log.Info("Registered device plugin");
  log.Error(absl::InternalError("no"), "Failed to write checkpoint file");
  EXPECT_THAT(log.Take(), IsEmpty());
  EXPECT_FALSE(log.V(0));
}

TEST(StoryLogTest, LinesAreToldOnceWithTheirPlaceInTheSource) {
  StoryLog log([] { return false; });
  log.Listen(2);
  log.Info("Registered device plugin", {{"resource", "example.com/gpu"}});
  log.V(2).Info("Second");
  log.V(3).Info("Third");
  log.Error(absl::InternalError("no space"), "Failed to write checkpoint file");
  EXPECT_THAT(
      log.Take(),
      ElementsAre(
          MatchesRegex(R"(I story_log_test\.cc:[0-9]+\] "Registered device plugin" resource="example.com/gpu")"),
          MatchesRegex(R"(I story_log_test\.cc:[0-9]+\] "Second")"),
          MatchesRegex(R"(E story_log_test\.cc:[0-9]+\] "Failed to write checkpoint file" err="no space")")));
  EXPECT_THAT(log.Take(), IsEmpty());
}

TEST(StoryLogTest, TheDeadSayNothing) {
  bool dead = false;
  StoryLog log([&] { return dead; });
  log.Listen(0);
  log.Info("First");
  dead = true;
  log.Info("Second");
  EXPECT_THAT(log.Take(), ElementsAre(HasSubstr("First")));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
