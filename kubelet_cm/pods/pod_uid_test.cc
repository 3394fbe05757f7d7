#include "kubelet_cm/pods/pod_uid.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;

TEST(PodUidTest, UuidsAndHashesAreTaken) {
  EXPECT_OK(ValidatePodUid("7f0a3c1e-8b7e-4f0e-9a53-0d3c6a1c2b4d"));
  EXPECT_OK(ValidatePodUid("d41d8cd98f00b204e9800998ecf8427e"));
  EXPECT_OK(ValidatePodUid("a"));
  EXPECT_OK(ValidatePodUid(std::string(128, 'a')));
}

TEST(PodUidTest, WhatCouldBeAnotherFileIsRefused) {
  for (const std::string uid : {"", "-", "..", "a/b", "a.corrupt-1", "a b", "\xff", "a\n"}) {
    EXPECT_THAT(ValidatePodUid(uid), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("uid"))) << uid;
  }
  EXPECT_FALSE(ValidatePodUid(std::string(129, 'a')).ok());
  EXPECT_FALSE(ValidatePodUid(std::string("a\0b", 3)).ok());
}

}  // namespace
}  // namespace kubelet_cm
