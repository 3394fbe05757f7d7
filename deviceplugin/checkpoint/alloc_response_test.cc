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

std::string EverythingThatPluginsSay() {
  v1beta1::ContainerAllocateResponse response;
  (*response.mutable_envs())["DEVICES"] = std::string(300, 'd');
  v1beta1::Mount* mount = response.add_mounts();
  mount->set_container_path("/in");
  mount->set_host_path("/out");
  mount->set_read_only(true);
  v1beta1::DeviceSpec* device = response.add_devices();
  device->set_container_path("/dev/in");
  device->set_host_path("/dev/out");
  device->set_permissions("rw");
  (*response.mutable_annotations())["a"] = "b";
  response.add_cdi_devices()->set_name("vendor/class=name");
  return response.SerializeAsString();
}

TEST(AllocResponseTest, CheckingTakesWhatParsingTakes) {
  EXPECT_OK(CheckAllocResponse(EverythingThatPluginsSay()));
  EXPECT_OK(CheckAllocResponse(""));
  EXPECT_OK(CheckAllocResponse("\x22\x04\x0A\x02\xC3\xA4")) << "a text in UTF-8";
  EXPECT_OK(CheckAllocResponse("\x32\x01x")) << "a field that is not known";
}

// Each byte by each other, and each length: whatever they make of the message, both say the same.
TEST(AllocResponseTest, CheckingSaysOfEveryDamageWhatParsingSays) {
  const std::string whole = EverythingThatPluginsSay();
  int refused = 0;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    for (int byte = 0; byte < 256; ++byte) {
      damaged[at] = static_cast<char>(byte);
      const absl::Status parsed = ParseAllocResponse(damaged).status();
      ASSERT_EQ(CheckAllocResponse(damaged), parsed) << "byte " << byte << " at " << at;
      refused += parsed.ok() ? 0 : 1;
    }
    const std::string cut = whole.substr(0, at);
    ASSERT_EQ(CheckAllocResponse(cut), ParseAllocResponse(cut).status()) << at << " bytes";
  }
  EXPECT_GT(refused, 1000);
}

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
