// The descriptor itself; what a File does is in file_system_contract_test.cc and posix_file_system_test.cc.
#include "common/filesystem/posix_file.h"

#include <fcntl.h>

#include <cerrno>
#include <vector>

#include "common/status/errno_status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

TEST(RetryInterruptedTest, RepeatsWhatASignalInterrupted) {
  std::vector<int> errors = {EINTR, EINTR, 0};
  size_t calls = 0;
  const int result = RetryInterrupted([&] {
    errno = errors[calls++];
    return errno == 0 ? 7 : -1;
  });
  EXPECT_EQ(result, 7);
  EXPECT_EQ(calls, 3u);
}

TEST(RetryInterruptedTest, PassesOtherErrorsOn) {
  int calls = 0;
  EXPECT_EQ(RetryInterrupted([&] {
              ++calls;
              errno = EIO;
              return -1;
            }),
            -1);
  EXPECT_EQ(calls, 1);
}

TEST(PosixFileTest, ADeviceThatIsFullReportsTheErrorWithThePath) {
  PosixFile full(open("/dev/full", O_WRONLY | O_CLOEXEC), "/the/path");
  const absl::Status written = full.Write("x");
  EXPECT_THAT(written, StatusIs(absl::StatusCode::kResourceExhausted, "write /the/path: No space left on device"));
}

TEST(PosixFileTest, ClosingTwiceDoesNotCloseSomebodyElsesDescriptor) {
  PosixFile file(open("/", O_RDONLY | O_CLOEXEC), "/");
  EXPECT_OK(file.Close());
  PosixFile other(open("/", O_RDONLY | O_CLOEXEC), "/");  // most likely the same number
  EXPECT_EQ(ErrnoOf(file.Close()), EBADF);
  EXPECT_OK(other.Close());
}

}  // namespace
}  // namespace kubelet_cm
