#include "kubelet_cm/config/default_root.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

TEST(DefaultRootTest, IsWhereTheUserKeepsState) {
  EXPECT_EQ(*DefaultRootDir("/state", "/users/me"), "/state/kubelet_cm");
  EXPECT_EQ(*DefaultRootDir("", "/users/me"), "/users/me/.local/state/kubelet_cm");
  EXPECT_EQ(*DefaultRootDir("relative", "/users/me"), "/users/me/.local/state/kubelet_cm");
}

TEST(DefaultRootTest, IsNowhereForAUserWithoutAHome) {
  EXPECT_THAT(DefaultRootDir("", ""), StatusIs(absl::StatusCode::kInvalidArgument, testing::HasSubstr("--root-dir")));
}

}  // namespace
}  // namespace kubelet_cm::config
