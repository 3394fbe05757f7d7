#include "common/unixsocket/socket_path.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string PathOfSize(size_t size) { return "/" + std::string(size - 1, 'x'); }

TEST(SocketPathTest, LongestPathIsTaken) { EXPECT_OK(CheckSocketPath(PathOfSize(kMaxSocketPath))); }

TEST(SocketPathTest, TooLongPathIsRefusedWithPathAndLength) {
  const std::string path = PathOfSize(kMaxSocketPath + 1);
  EXPECT_THAT(CheckSocketPath(path),
              StatusIs(absl::StatusCode::kInvalidArgument, AllOf(HasSubstr(path), HasSubstr("108 bytes"))));
}

TEST(SocketPathTest, RelativePathIsRefused) {
  EXPECT_THAT(CheckSocketPath("kubelet.sock"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("absolute")));
  EXPECT_THAT(CheckSocketPath(""), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(SocketPathTest, NulIsRefused) {
  EXPECT_THAT(CheckSocketPath(std::string("/a\0b", 4)), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NUL")));
}

TEST(SocketPathTest, AddressEncodesWhatAUriReserves) {
  EXPECT_EQ(SocketAddress("/var/lib/kubelet/a-b_c.sock"), "unix:/var/lib/kubelet/a-b_c.sock");
  EXPECT_EQ(SocketAddress("/a b%c?#:\xc3\xa9"), "unix:/a%20b%25c%3F%23%3A%C3%A9");
}

}  // namespace
}  // namespace kubelet_cm
