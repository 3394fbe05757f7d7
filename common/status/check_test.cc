#include "common/status/check.h"

#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(CheckTest, PassesWithoutEvaluatingTheMessage) {
  int evaluated = 0;
  CHECK(true) << ++evaluated;
  EXPECT_EQ(evaluated, 0);
}

TEST(CheckDeathTest, AbortsWithPlaceConditionAndMessage) {
  const int held = 2;
  EXPECT_DEATH(CHECK(held == 1) << "held by " << held, "check_test.cc:[0-9]+\\] Check failed: held == 1 held by 2");
}

}  // namespace
}  // namespace kubelet_cm
