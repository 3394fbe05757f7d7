#include "checkpointmanager/checkpoint_error.h"

#include <limits>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(CheckpointErrorTest, TextsAreUpstreams) {
  EXPECT_THAT(CheckpointNotFoundError(), StatusIs(absl::StatusCode::kNotFound, "checkpoint is not found"));
  EXPECT_THAT(CorruptCheckpointError({}), StatusIs(absl::StatusCode::kDataLoss, "checkpoint is corrupted"));
}

TEST(CheckpointErrorTest, CarriesBothSums) {
  const ChecksumMismatch sums{.expected = 7, .actual = std::numeric_limits<uint64_t>::max()};
  EXPECT_EQ(MismatchOf(CorruptCheckpointError(sums)), sums);
}

TEST(CheckpointErrorTest, OtherErrorsHaveNoSums) {
  EXPECT_EQ(MismatchOf(absl::OkStatus()), std::nullopt);
  EXPECT_EQ(MismatchOf(absl::DataLossError("checkpoint is corrupted")), std::nullopt);
}

}  // namespace
}  // namespace kubelet_cm
