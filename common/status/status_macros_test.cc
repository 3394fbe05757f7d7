#include "common/status/status_macros.h"

#include <memory>
#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::Pointee;

absl::Status ReturnsEarly(const absl::Status& first, bool& reached) {
  RETURN_IF_ERROR(first);
  reached = true;
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<int>> Doubled(absl::StatusOr<std::unique_ptr<int>> number) {
  ASSIGN_OR_RETURN(std::unique_ptr<int> value, std::move(number));
  *value *= 2;
  return value;
}

TEST(ReturnIfErrorTest, GoesOnAfterSuccess) {
  bool reached = false;
  EXPECT_OK(ReturnsEarly(absl::OkStatus(), reached));
  EXPECT_TRUE(reached);
}

TEST(ReturnIfErrorTest, ReturnsTheErrorUnchanged) {
  bool reached = false;
  EXPECT_THAT(ReturnsEarly(absl::DataLossError("torn"), reached), StatusIs(absl::StatusCode::kDataLoss, "torn"));
  EXPECT_FALSE(reached);
}

TEST(AssignOrReturnTest, MovesTheValueOut) {
  EXPECT_THAT(Doubled(std::make_unique<int>(21)), IsOkAndHolds(Pointee(42)));
}

TEST(AssignOrReturnTest, ReturnsTheErrorUnchanged) {
  EXPECT_THAT(Doubled(absl::NotFoundError("gone")), StatusIs(absl::StatusCode::kNotFound, "gone"));
}

}  // namespace
}  // namespace kubelet_cm
