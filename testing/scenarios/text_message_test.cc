#include "testing/scenarios/text_message.h"

#include <vector>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/scenario.pb.h"

namespace kubelet_cm::scenarios {
namespace {

using ::kubeletcm::scenario::v1::Step;

absl::Status Read(const std::string& text, Step* step, int* checks) {
  return ReadText("f", text, step, [&](const TextPlace::Tree& tree, std::vector<Complaint>* complaints) {
    ++*checks;
    if (step->has_kill()) TextPlace(*step, tree, complaints).Complain("kill", "nobody is there");
  });
}

TEST(TextMessageTest, AMessageIsReadAndLookedAt) {
  Step step;
  int checks = 0;
  EXPECT_OK(Read("restart {}", &step, &checks));
  EXPECT_TRUE(step.has_restart());
  EXPECT_EQ(checks, 1);
}

TEST(TextMessageTest, WhatTheCheckComplainsOfHasItsPlace) {
  Step step;
  int checks = 0;
  EXPECT_THAT(Read("\n  kill {}", &step, &checks),
              StatusIs(absl::StatusCode::kInvalidArgument, "f:2:3: nobody is there"));
}

TEST(TextMessageTest, WhatIsNoSuchMessageIsNotLookedAt) {
  Step step;
  int checks = 0;
  EXPECT_THAT(Read("kil {}", &step, &checks),
              StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("f:1:5: ")));
  EXPECT_EQ(checks, 0);
}

}  // namespace
}  // namespace kubelet_cm::scenarios
