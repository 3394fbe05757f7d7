#include "kubelet_cm/config/kubelet_config.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr absl::StatusCode kInvalid = absl::StatusCode::kInvalidArgument;
constexpr char kHead[] = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

absl::StatusOr<KubeletConfig> Parse(std::string_view rest) {
  return ParseKubeletConfig(absl::StrCat(kHead, std::string(rest)));
}

DaemonOptions Applied(const KubeletConfig& config) {
  DaemonOptions options;
  ApplyKubeletConfig(config, "/etc/kubernetes", &options);
  return options;
}

TEST(KubeletConfigTest, WhatIsInScopeIsHonoured) {
  ASSERT_OK_AND_ASSIGN(
      const KubeletConfig config,
      Parse("featureGates: {ResourceHealthStatus: false}\n"
            "topologyManagerPolicy: restricted\ntopologyManagerScope: pod\n"
            "topologyManagerPolicyOptions: {max-allowable-numa-nodes: '12'}\n"
            "staticPodPath: /etc/kubernetes/manifests\nhealthzPort: 10300\nhealthzBindAddress: 127.0.0.2\n"
            "logging: {format: json, verbosity: 4}\n"));
  const DaemonOptions options = Applied(config);
  EXPECT_FALSE(options.features.Enabled(kResourceHealthStatus));
  EXPECT_EQ(options.topology,
            (TopologySettings{
                .policy = TopologyPolicy::kRestricted, .scope = TopologyScope::kPod, .max_allowable_numa_nodes = 12}));
  EXPECT_EQ(options.pod_manifest_path, "/etc/kubernetes/manifests");
  EXPECT_EQ(options.healthz_port, 10300);
  EXPECT_EQ(options.healthz_address, "127.0.0.2");
  EXPECT_EQ(options.log_format, LogFormat::kJson);
  EXPECT_EQ(options.verbosity, 4);
  EXPECT_EQ(config.leftovers, ConfigLeftovers());
}

TEST(KubeletConfigTest, WhatTheFileDoesNotSayStaysAsItIs) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, Parse("healthzPort: null\ntopologyManagerPolicy: ''\n"));
  DaemonOptions options;
  options.healthz_port = 5;
  options.topology.policy = TopologyPolicy::kBestEffort;
  options.topology.prefer_closest_numa_nodes = true;
  ApplyKubeletConfig(config, "/", &options);
  EXPECT_EQ(options.healthz_port, 5);
  EXPECT_EQ(options.topology.policy, TopologyPolicy::kBestEffort);
  EXPECT_TRUE(options.topology.prefer_closest_numa_nodes);
}

TEST(KubeletConfigTest, JsonIsTakenToo) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, ParseKubeletConfig(R"({"apiVersion": "kubelet.config.k8s.io/v1beta1",
                                              "kind": "KubeletConfiguration", "healthzPort": 0})"));
  EXPECT_EQ(config.healthz_port, 0);
}

TEST(KubeletConfigTest, PathsAreRelativeToTheFile) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, Parse("staticPodPath: manifests\n"));
  EXPECT_EQ(Applied(config).pod_manifest_path, "/etc/kubernetes/manifests");
}

TEST(KubeletConfigTest, AnotherKindIsRefused) {
  EXPECT_THAT(ParseKubeletConfig("apiVersion: v1\nkind: Pod\n"),
              StatusIs(kInvalid,
                       "line 1, column 13: apiVersion: expected kubelet.config.k8s.io/v1beta1, got \"v1\"\n"
                       "line 2, column 7: kind: expected KubeletConfiguration, got \"Pod\""));
  EXPECT_THAT(ParseKubeletConfig("healthzPort: 1\n"),
              StatusIs(kInvalid, HasSubstr("kind: missing; this takes KubeletConfiguration")));
  EXPECT_THAT(ParseKubeletConfig("- 1\n"),
              StatusIs(kInvalid, "line 1, column 1: expected a KubeletConfiguration, got a list"));
  EXPECT_THAT(ParseKubeletConfig("# nothing\n"), StatusIs(kInvalid, "empty"));
}

TEST(KubeletConfigTest, WrongTypesAreErrorsInEveryField) {
  EXPECT_THAT(Parse("maxPods: many\nhealthzPort: yes\n"),
              StatusIs(kInvalid,
                       "line 3, column 10: maxPods: expected a whole number, got the string \"many\"\n"
                       "line 4, column 14: healthzPort: expected a whole number, got the truth value true"));
}

TEST(KubeletConfigTest, ValuesThatTheFieldDoesNotTakeAreErrors) {
  EXPECT_THAT(Parse("topologyManagerPolicy: best\n"),
              StatusIs(kInvalid, "line 3, column 24: topologyManagerPolicy: unknown policy: \"best\""));
  EXPECT_THAT(Parse("topologyManagerScope: node\n"), StatusIs(kInvalid, HasSubstr("unknown scope: \"node\"")));
  EXPECT_THAT(Parse("topologyManagerPolicyOptions: {x: 'y'}\n"),
              StatusIs(kInvalid, HasSubstr("unknown Topology Manager Policy option: \"x\"")));
  EXPECT_THAT(Parse("healthzPort: 65536\n"), StatusIs(kInvalid, HasSubstr("or 0 for none, got 65536")));
  EXPECT_THAT(Parse("healthzBindAddress: localhost\n"), StatusIs(kInvalid, HasSubstr("no IP address")));
  EXPECT_THAT(Parse("staticPodPath: \"/a\\0b\"\n"), StatusIs(kInvalid, HasSubstr("no path has a NUL in it")));
  EXPECT_THAT(Parse("logging: {format: xml}\n"), StatusIs(kInvalid, HasSubstr("line 3, column 19: logging.format")));
  EXPECT_THAT(Parse("logging: {verbosity: 4000000000}\n"), StatusIs(kInvalid, HasSubstr("Must be <= 2147483647")));
  EXPECT_THAT(Parse("featureGates: {DevicePlugins: false}\n"),
              StatusIs(kInvalid, HasSubstr("cannot set feature gate DevicePlugins to false")));
}

TEST(KubeletConfigTest, WhatHasNoEffectIsToldOf) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, Parse("featureGates: {CPUManager: true, AllAlpha: true}\n"
                                                         "podPidsLimit: 5\nhealthzport: 1\ncgroupDriver: systemd\n"));
  EXPECT_THAT(config.leftovers.not_honoured, ElementsAre("cgroupDriver", "podPidsLimit"));
  EXPECT_THAT(config.leftovers.unknown, ElementsAre("healthzport"));
  EXPECT_THAT(config.leftovers.other_feature_gates, ElementsAre("CPUManager"));
}

TEST(KubeletConfigTest, AnAddressThatOthersReachIsNotHonoured) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, Parse("healthzBindAddress: 0.0.0.0\naddress: 0.0.0.0\n"));
  EXPECT_THAT(config.leftovers.not_honoured, ElementsAre("address", "healthzBindAddress"));
  EXPECT_EQ(Applied(config).healthz_address, "127.0.0.1");
}

TEST(KubeletConfigTest, WhatHasNoEffectIsOneLogLine) {
  CapturingLogger log;
  LogLeftovers(log, "/etc/kubelet.yaml", {});
  EXPECT_THAT(log.lines(), IsEmpty());
  LogLeftovers(log, "/etc/kubelet.yaml", {.not_honoured = {"a", "b"}, .unknown = {"c"}});
  ASSERT_EQ(log.lines().size(), 1u);
}

std::string Sample(const std::string& name) {
  PosixFileSystem files;
  const auto text = ReadFile(files, "kubelet_cm/config/testdata/" + name, 1 << 20);
  EXPECT_OK(text.status());
  return text.value_or("");
}

TEST(KubeletConfigSamplesTest, ANodesFileIsTaken) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig config, ParseKubeletConfig(Sample("node.yaml")));
  EXPECT_EQ(Applied(config).topology, (TopologySettings{.policy = TopologyPolicy::kSingleNumaNode,
                                                        .scope = TopologyScope::kPod,
                                                        .prefer_closest_numa_nodes = true,
                                                        .max_allowable_numa_nodes = 16}));
  EXPECT_THAT(config.leftovers.other_feature_gates, ElementsAre("RotateKubeletServerCertificate"));
  EXPECT_THAT(config.leftovers.unknown, IsEmpty());
}

TEST(KubeletConfigSamplesTest, EveryWayOfWritingIsTaken) {
  ASSERT_OK_AND_ASSIGN(const KubeletConfig json, ParseKubeletConfig(Sample("node.json")));
  EXPECT_EQ(json.healthz_port, 0);
  ASSERT_OK_AND_ASSIGN(const KubeletConfig aliases, ParseKubeletConfig(Sample("aliases.yaml")));
  EXPECT_EQ(aliases.healthz_port, 16);
}

TEST(KubeletConfigSamplesTest, EverythingThatIsWrongIsSaid) {
  EXPECT_THAT(ParseKubeletConfig(Sample("wrong.yaml")),
              StatusIs(kInvalid, R"(line 1, column 13: apiVersion: expected kubelet.config.k8s.io/v1beta1, got "v1"
line 2, column 7: kind: expected a string, got a list
line 3, column 14: healthzPort: expected a whole number, got the string "10248"
line 4, column 10: maxPods: expected a number from -2147483648 to 2147483647, got 99999999999
line 5, column 31: featureGates["DevicePlugins"]: cannot set feature gate DevicePlugins to false, feature is locked to true
line 5, column 41: featureGates["X"]: expected true or false, got the number 5
line 6, column 35: topologyManagerPolicyOptions: unknown Topology Manager Policy option: "a"
line 6, column 41: topologyManagerPolicyOptions["c"]: expected a string, got the number 1 (in quotes it is one: "1")
line 7, column 13: clusterDNS: expected a list of strings, got a map)"));
}

}  // namespace
}  // namespace kubelet_cm::config
