#include "deviceplugin/registration/resource_name.h"

#include <string>

#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

const std::string kLongestDomain = std::string(240, 'a') + ".com";  // 244 bytes: 253 with "requests."
const std::string kLongestName(63, 'n');

class GoodNameTest : public ::testing::TestWithParam<std::string> {};
class BadNameTest : public ::testing::TestWithParam<std::string> {};

TEST_P(GoodNameTest, IsAnExtendedResource) { EXPECT_TRUE(IsExtendedResourceName(GetParam())); }
TEST_P(BadNameTest, IsNoExtendedResource) { EXPECT_FALSE(IsExtendedResourceName(GetParam())); }

INSTANTIATE_TEST_SUITE_P(ResourceNames, GoodNameTest,
                         ::testing::Values("example.com/gpu", "nvidia.com/gpu.shared", "a/b", "0/0", "a-b.c--d/x",
                                           "vendor.example/G_p-u.1", "example.com/requests.gpu", "requests/gpu",
                                           "requestsx.com/gpu", "xrequests.com/gpu", "kubernetes.iox/gpu",
                                           "kubernetes.io.example.com/gpu", "hugepages.example/2Mi",
                                           kLongestDomain + "/gpu", "example.com/" + kLongestName,
                                           kLongestDomain + "/" + kLongestName, std::string(64, 'l') + ".com/gpu"));

INSTANTIATE_TEST_SUITE_P(
    ResourceNames, BadNameTest,
    ::testing::Values("", "/", "cpu", "gpu", "example.com/", "/gpu", "example.com//gpu", "example.com/gpu/0",
                      "example.com/gpu/", "kubernetes.io/gpu", "alpha.kubernetes.io/nvidia-gpu", "xkubernetes.io/gpu",
                      "example.com/kubernetes.io/gpu", "requests.example.com/gpu", "requests./gpu", "Example.com/gpu",
                      "example_1.com/gpu", "example..com/gpu", ".example.com/gpu", "example.com./gpu",
                      "-example.com/gpu", "example-.com/gpu", "example.-com/gpu", "example.com/-gpu",
                      "example.com/gpu-", "example.com/.gpu", "example.com/gpu_", "example.com/g pu",
                      "example.com/g\u00e9", "ex\u00e4mple.com/gpu", "example.com/gpu\n", "\nexample.com/gpu",
                      "example.com/g*", " example.com/gpu", "example.com/../gpu", std::string("example.com/g\0u", 15),
                      std::string("exa\0mple.com/gpu", 16), "a" + kLongestDomain + "/gpu",
                      "example.com/" + kLongestName + "n"));

TEST(ResourceNameTest, OldKubeletsTookAnythingWithASlashOutsideKubernetesIo) {
  for (const PluginApi api : {PluginApi::kV1Alpha2, PluginApi::k01}) {
    EXPECT_TRUE(IsRegistrableName(api, "example.com/gpu"));
    EXPECT_TRUE(IsRegistrableName(api, "Example com/gpu/0"));
    EXPECT_TRUE(IsRegistrableName(api, "requests.example.com/gpu"));
    EXPECT_FALSE(IsRegistrableName(api, "gpu"));
    EXPECT_FALSE(IsRegistrableName(api, "alpha.kubernetes.io/nvidia-gpu"));
    EXPECT_FALSE(IsRegistrableName(api, ""));
  }
  EXPECT_FALSE(IsRegistrableName(PluginApi::kV1Beta1, "Example com/gpu/0"));
  EXPECT_TRUE(IsRegistrableName(PluginApi::kV1Beta1, "example.com/gpu"));
}

TEST(ResourceNameTest, OnlyTheOldestKnowsOpaqueIntegerResources) {
  const std::string opaque = "pod.alpha.kubernetes.io/opaque-int-resource-gpu";
  EXPECT_TRUE(IsRegistrableName(PluginApi::k01, opaque));
  EXPECT_FALSE(IsRegistrableName(PluginApi::kV1Alpha2, opaque));
  EXPECT_FALSE(IsRegistrableName(PluginApi::kV1Beta1, opaque));
}

TEST(ResourceNameTest, NoProtocolTakesAnEndlessName) {
  const std::string longest = "a/" + std::string(kMaxResourceName - 2, 'b');
  EXPECT_TRUE(IsRegistrableName(PluginApi::k01, longest));
  EXPECT_FALSE(IsRegistrableName(PluginApi::k01, longest + "b"));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
