#include "deviceplugin/checkpoint/alloc_response.h"

#include <string>

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

const Personality& Kubelet(std::string_view version) { return **ParsePersonality(version); }

TEST(AllocResponseTest, ParsesWhatAPluginAnswered) {
  const auto response = ParseAllocResponse("\x0A\x06\x0A\x01\x41\x12\x01\x42");
  ASSERT_OK(response.status());
  EXPECT_EQ(response->envs().at("A"), "B");
}

TEST(AllocResponseTest, NoBytesAreAnEmptyAnswer) { EXPECT_OK(ParseAllocResponse("").status()); }

TEST(AllocResponseTest, RejectsWhatIsCutOff) {
  EXPECT_THAT(ParseAllocResponse("\x0A\x06\x0A").status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_FALSE(KubeletParsesAllocResponse(Kubelet("1.20"), "\x0A\x06\x0A"));
}

TEST(AllocResponseTest, OldKubeletsRejectAKnownFieldOfAnotherType) {
  const std::string mounts_as_a_number = "\x10\x01";
  EXPECT_FALSE(KubeletParsesAllocResponse(Kubelet("1.22"), mounts_as_a_number));
  EXPECT_TRUE(KubeletParsesAllocResponse(Kubelet("1.38"), mounts_as_a_number));
}

TEST(AllocResponseTest, OldKubeletsTakeTextsThatAreNotUtf8) {
  const std::string annotation = "\x22\x05\x0A\x01\xFF\x12\x00";
  const std::string whole = annotation + std::string(1, '\0');
  EXPECT_TRUE(KubeletParsesAllocResponse(Kubelet("1.22"), whole));
  EXPECT_FALSE(KubeletParsesAllocResponse(Kubelet("1.38"), whole));
}

TEST(AllocResponseTest, CdiDevicesAreUnknownToKubeletsBefore1_28) {
  const std::string cdi_as_a_number = "\x28\x01";
  EXPECT_TRUE(KubeletParsesAllocResponse(Kubelet("1.27"), cdi_as_a_number));
  EXPECT_FALSE(KubeletParsesAllocResponse(Kubelet("1.28"), cdi_as_a_number));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
