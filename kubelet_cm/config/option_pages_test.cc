#include "kubelet_cm/config/option_pages.h"

#include <string>

#include "common/features/known_gates.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/config/kubelet_config.h"

namespace kubelet_cm::config {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

DaemonOptions Sample() {
  DaemonOptions options;
  options.pod_manifest_path = "/etc/kubernetes/manifests";
  options.healthz_port = 5;
  options.verbosity = 3;
  options.topology = {.policy = TopologyPolicy::kRestricted, .max_allowable_numa_nodes = 10};
  const auto features = options.features.WithFlag("ResourceHealthStatus=false");
  EXPECT_OK(features.status());
  options.features = *features;
  return options;
}

TEST(OptionPagesTest, ConfigzIsAKubeletConfigurationThatReadsBack) {
  const std::string page = ConfigzJson(Sample());
  const std::string prefix = "{\"kubeletconfig\":";
  ASSERT_THAT(page, StartsWith(prefix));
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config,
                       ParseKubeletConfig(page.substr(prefix.size(), page.size() - prefix.size() - 2)));
  EXPECT_EQ(config.leftovers, ConfigLeftovers());
  DaemonOptions options;
  ApplyKubeletConfig(config, "/", &options);
  EXPECT_EQ(ConfigzJson(options), page);
  EXPECT_EQ(options.topology, Sample().topology);
  EXPECT_FALSE(options.features.Enabled(kResourceHealthStatus));
}

TEST(OptionPagesTest, ConfigzIsSortedAsGoSorts) {
  EXPECT_THAT(ConfigzJson(Sample()),
              HasSubstr("\"healthzBindAddress\":\"127.0.0.1\",\"healthzPort\":5,\"kind\":\"KubeletConfiguration\","
                        "\"logging\":{\"format\":\"text\",\"verbosity\":3},"));
}

TEST(OptionPagesTest, FlagzHasALineForEachFlag) {
  const std::string page = FlagzText(Sample());
  EXPECT_THAT(page, StartsWith("\nkubelet_cm flagz\nWarning: This endpoint is not meant to be machine parseable"));
  EXPECT_THAT(page, HasSubstr("\nallocate-timeout=1m0s\n"));
  EXPECT_THAT(page, HasSubstr("\nfeature-gates=ResourceHealthStatus=false\n"));
  EXPECT_THAT(page, HasSubstr("\nhealthz-port=5\n"));
}

}  // namespace
}  // namespace kubelet_cm::config
