#include "testing/scenarios/reply_checks.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Reply kRefusal{.ok = false, .reason = "Busy", .message = "try later"};

TEST(ReplyChecksTest, WhatIsWantedIsFine) {
  EXPECT_THAT(WrongWith(Reply{}, {}), IsEmpty());
  EXPECT_THAT(WrongWith(kRefusal, {.outcome = proto::REFUSED}), IsEmpty());
  EXPECT_THAT(WrongWith(kRefusal, {.outcome = proto::REFUSED, .reason = "Busy", .message = "later"}), IsEmpty());
  EXPECT_THAT(WrongWith(Reply{}, {.outcome = proto::EITHER}), IsEmpty());
  EXPECT_THAT(WrongWith(kRefusal, {.outcome = proto::EITHER}), IsEmpty());
}

TEST(ReplyChecksTest, AnotherAnswerIsTold) {
  EXPECT_THAT(WrongWith(kRefusal, {}), ElementsAre("expected it to be granted, but it was refused: Busy: try later"));
  EXPECT_THAT(WrongWith(Reply{}, {.outcome = proto::REFUSED}),
              ElementsAre("expected it to be refused, but it went well"));
  EXPECT_THAT(WrongWith(kRefusal, {.outcome = proto::REFUSED, .reason = "Full"}),
              ElementsAre("expected reason Full, but it was refused: Busy: try later"));
  EXPECT_THAT(WrongWith(kRefusal, {.outcome = proto::REFUSED, .message = "never"}),
              ElementsAre("expected \"never\" in the message, but it was refused: Busy: try later"));
}

TEST(ReplyChecksTest, ARefusalHasTheTextOrThereIsNone) {
  const absl::Status refused = absl::InternalError("no room");
  EXPECT_THAT(WrongWith(absl::OkStatus(), ""), IsEmpty());
  EXPECT_THAT(WrongWith(refused, "room"), IsEmpty());
  EXPECT_THAT(WrongWith(refused, ""), ElementsAre("no room"));
  EXPECT_THAT(WrongWith(absl::OkStatus(), "room"), ElementsAre("expected a refusal with \"room\", and it went well"));
  EXPECT_THAT(WrongWith(refused, "time"), ElementsAre("expected a refusal with \"time\", got: no room"));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
