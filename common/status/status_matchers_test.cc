#include "common/status/status_matchers.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest-spi.h"

namespace kubelet_cm {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

absl::StatusOr<int> Number(int n) { return n; }
absl::StatusOr<int> NoNumber() { return absl::NotFoundError("no number"); }

TEST(StatusMatchersTest, IsOkTellsSuccessFromError) {
  EXPECT_THAT(absl::OkStatus(), IsOk());
  EXPECT_THAT(Number(1), IsOk());
  EXPECT_THAT(NoNumber(), Not(IsOk()));
}

TEST(StatusMatchersTest, StatusIsComparesCodeAndMessage) {
  EXPECT_THAT(NoNumber(), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(NoNumber(), StatusIs(absl::StatusCode::kNotFound, "no number"));
  EXPECT_THAT(NoNumber(), StatusIs(absl::StatusCode::kNotFound, HasSubstr("number")));
  EXPECT_THAT(NoNumber(), Not(StatusIs(absl::StatusCode::kInternal)));
  EXPECT_THAT(NoNumber(), Not(StatusIs(absl::StatusCode::kNotFound, "another")));
  EXPECT_THAT(Number(1), Not(StatusIs(absl::StatusCode::kNotFound)));
}

TEST(StatusMatchersTest, IsOkAndHoldsComparesTheValue) {
  EXPECT_THAT(Number(3), IsOkAndHolds(3));
  EXPECT_THAT(Number(3), Not(IsOkAndHolds(4)));
  EXPECT_THAT(NoNumber(), Not(IsOkAndHolds(_)));
  EXPECT_THAT(absl::StatusOr<std::vector<int>>({1, 2}), IsOkAndHolds(ElementsAre(1, 2)));
  EXPECT_THAT(absl::StatusOr<std::string>("text"), IsOkAndHolds("text"));
}

TEST(StatusMatchersTest, FailuresNameTheStatus) {
  EXPECT_NONFATAL_FAILURE(EXPECT_OK(NoNumber()), "NOT_FOUND: no number");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(NoNumber(), IsOkAndHolds(1)), "NOT_FOUND: no number");
  EXPECT_NONFATAL_FAILURE(EXPECT_THAT(NoNumber(), StatusIs(absl::StatusCode::kInternal)), "NOT_FOUND: no number");
}

TEST(StatusMatchersTest, AssertOkAndAssignMovesTheValueOut) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<int> value, absl::StatusOr<std::unique_ptr<int>>(std::make_unique<int>(7)));
  EXPECT_EQ(*value, 7);
}

}  // namespace
}  // namespace kubelet_cm
