#include "common/status/errno_status.h"

#include <cerrno>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(ErrnoStatusTest, NamesWhatWasAttemptedAndWhy) {
  EXPECT_THAT(ErrnoStatus(ENOENT, "open /path"),
              StatusIs(absl::StatusCode::kNotFound, "open /path: No such file or directory"));
}

TEST(ErrnoStatusTest, FullDiskIsResourceExhausted) {
  EXPECT_THAT(ErrnoStatus(ENOSPC, "write /path"), StatusIs(absl::StatusCode::kResourceExhausted));
}

TEST(ErrnoStatusTest, BrokenDeviceIsInternal) {
  EXPECT_THAT(ErrnoStatus(EIO, "fsync /path"),
              StatusIs(absl::StatusCode::kInternal, "fsync /path: Input/output error"));
}

TEST(ErrnoStatusTest, OnlyAMissingNameIsNotFound) {
  for (int error : {ENXIO, ENODEV, ELOOP}) {
    EXPECT_THAT(ErrnoStatus(error, "open /path"), StatusIs(absl::StatusCode::kFailedPrecondition)) << error;
  }
}

TEST(ErrnoStatusTest, ErrnoCanBeReadBack) {
  for (int error : {EPERM, ENOENT, EIO, EACCES, ENOSPC, EINTR, 4095}) {
    EXPECT_EQ(ErrnoOf(ErrnoStatus(error, "x")), error);
  }
}

TEST(ErrnoStatusTest, OtherStatusesHaveNoErrno) {
  EXPECT_EQ(ErrnoOf(absl::OkStatus()), 0);
  EXPECT_EQ(ErrnoOf(absl::NotFoundError("gone")), 0);
}

TEST(RewordedTest, KeepsCodeAndErrno) {
  const absl::Status reworded = Reworded(ErrnoStatus(EACCES, "open /a"), "no access to the state");
  EXPECT_THAT(reworded, StatusIs(absl::StatusCode::kPermissionDenied, "no access to the state"));
  EXPECT_EQ(ErrnoOf(reworded), EACCES);
}

}  // namespace
}  // namespace kubelet_cm
