#include "common/gotext/json_error.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(JsonErrorTest, CarriesMessageAndOffset) {
  const absl::Status status = JsonError("unexpected end of JSON input", 7);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "unexpected end of JSON input");
  EXPECT_EQ(JsonErrorOffset(status), 7);
}

TEST(JsonErrorTest, OtherStatusesHaveNoOffset) {
  EXPECT_EQ(JsonErrorOffset(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(JsonErrorOffset(absl::NotFoundError("checkpoint is not found")), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm
