#include "kubelet_cm/config/command_line.h"

#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "common/features/known_gates.h"
#include "common/filesystem/fake_file_system.h"
#include "common/status/status_matchers.h"
#include "common/version/version.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "kubelet_cm/config/daemon_flags.h"

namespace kubelet_cm::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kHead[] = "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";

class CommandLineTest : public ::testing::Test {
 protected:
  CommandLine Read(const std::vector<std::string>& arguments) {
    return ReadCommandLine(arguments, surroundings_, files_);
  }

  // The options of a command line that is right.
  DaemonOptions Options(const std::vector<std::string>& arguments) {
    const CommandLine line = Read(arguments);
    EXPECT_EQ(line.exit_code, std::nullopt) << line.output;
    return line.options;
  }

  // What a command line that is wrong prints.
  std::string Refusal(const std::vector<std::string>& arguments) {
    const CommandLine line = Read(arguments);
    EXPECT_EQ(line.exit_code, kUsageExit);
    return line.output;
  }

  void WriteConfig(const std::string& text) {
    ASSERT_OK(files_.MakeFolders("/etc/kubernetes", 0755));
    const auto file = files_.Open("/etc/kubernetes/kubelet.yaml", OpenMode::kCreate);
    ASSERT_OK(file.status());
    ASSERT_OK((*file)->Write(kHead + text));
  }

  FakeFileSystem files_;
  Surroundings surroundings_ = {.home = "/users/me", .working_folder = "/tmp/here", .host_name = "Node-1\n"};
};

TEST_F(CommandLineTest, WithoutArgumentsEverythingHasADefault) {
  const DaemonOptions options = Options({});
  EXPECT_EQ(options.root_dir, "/users/me/.local/state/kubelet_cm");
  EXPECT_EQ(options.device_plugin_dir, "/users/me/.local/state/kubelet_cm/device-plugins");
  EXPECT_EQ(options.node_name, "node-1");
  EXPECT_EQ(options.healthz_port, 10248);
  EXPECT_EQ(options.recover, RecoverPolicy::kQuarantine);
  EXPECT_EQ(options.kubelet, &LatestPersonality());
}

TEST_F(CommandLineTest, StateGoesWhereTheSystemSaysItGoes) {
  surroundings_.xdg_state_home = "/state";
  EXPECT_EQ(Options({}).root_dir, "/state/kubelet_cm");
  surroundings_.xdg_state_home = "relative";
  EXPECT_EQ(Options({}).root_dir, "/users/me/.local/state/kubelet_cm");
  surroundings_.home = "";
  EXPECT_THAT(Refusal({}), HasSubstr("--root-dir is needed"));
  EXPECT_EQ(Options({"--root-dir=/x"}).device_plugin_dir, "/x/device-plugins");
}

TEST_F(CommandLineTest, FlagsSetWhatTheyName) {
  const DaemonOptions options = Options(
      {"--emulate-kubelet", "1.20.15", "--recover=strict", "--restrict-plugin-endpoints", "--numa-nodes=1,0",
       "--allocate-timeout=5s", "--podresources-qps=7.5", "--podresources-burst=3", "--healthz-port=0",
       "--topology-manager-policy=restricted", "--topology-manager-scope=pod", "--logging-format=json", "-v", "4"});
  EXPECT_EQ(options.kubelet->first.minor, 20);
  EXPECT_EQ(options.recover, RecoverPolicy::kStrict);
  EXPECT_TRUE(options.restrict_plugin_endpoints);
  EXPECT_THAT(options.numa_nodes, ElementsAre(0, 1));
  EXPECT_EQ(options.allocate_timeout, absl::Seconds(5));
  EXPECT_EQ(options.podresources_qps, 7.5);
  EXPECT_EQ(options.podresources_burst, 3);
  EXPECT_EQ(options.healthz_port, 0);
  EXPECT_EQ(options.topology.policy, TopologyPolicy::kRestricted);
  EXPECT_EQ(options.topology.scope, TopologyScope::kPod);
  EXPECT_EQ(options.log_format, LogFormat::kJson);
  EXPECT_EQ(options.verbosity, 4);
}

TEST_F(CommandLineTest, FlagsAreWrittenInTheKubeletsWays) {
  EXPECT_EQ(Options({"-v=4"}).verbosity, 4);
  EXPECT_EQ(Options({"--v=4"}).verbosity, 4);
  EXPECT_EQ(Options({"-v4"}).verbosity, 4);
  EXPECT_EQ(Options({"--v=1", "--v=2"}).verbosity, 2);
  EXPECT_FALSE(Options({"--restrict-plugin-endpoints=false"}).restrict_plugin_endpoints);
  EXPECT_EQ(Options({"--kubeconfig=", "--v=3"}).verbosity, 3);
  EXPECT_EQ(Options({"--hostname-override=other"}).node_name, "other");
}

TEST_F(CommandLineTest, PathsAreRelativeToTheWorkingFolder) {
  const DaemonOptions options = Options({"--root-dir=a", "--pod-manifest-path=b", "--claim-manifest-path=/c"});
  EXPECT_EQ(options.root_dir, "/tmp/here/a");
  EXPECT_EQ(options.device_plugin_dir, "/tmp/here/a/device-plugins");
  EXPECT_EQ(options.pod_manifest_path, "/tmp/here/b");
  EXPECT_EQ(options.claim_manifest_path, "/c");
}

TEST_F(CommandLineTest, FlagsThatAddUpDoSo) {
  const DaemonOptions options =
      Options({"--feature-gates=AllAlpha=true", "--feature-gates", "ResourceHealthStatus=false",
               "--topology-manager-policy-options=prefer-closest-numa-nodes=true",
               "--topology-manager-policy-options=max-allowable-numa-nodes=9"});
  EXPECT_TRUE(options.features.Enabled(kDRAOptionalNodeOperations));
  EXPECT_FALSE(options.features.Enabled(kResourceHealthStatus));
  EXPECT_TRUE(options.topology.prefer_closest_numa_nodes);
  EXPECT_EQ(options.topology.max_allowable_numa_nodes, 9);
}

TEST_F(CommandLineTest, FlagsWinOverTheFileAndTheFileOverDefaults) {
  WriteConfig(
      "healthzPort: 1\nlogging: {verbosity: 2}\nstaticPodPath: manifests\ntopologyManagerPolicy: restricted\n"
      "featureGates: {ResourceHealthStatus: false, DRAWorkloadResourceClaims: true}\ncgroupDriver: systemd\n");
  const CommandLine line =
      Read({"--config=/etc/kubernetes/kubelet.yaml", "--healthz-port=5", "--feature-gates=ResourceHealthStatus=true"});
  ASSERT_EQ(line.exit_code, std::nullopt) << line.output;
  EXPECT_EQ(line.options.healthz_port, 5);
  EXPECT_EQ(line.options.verbosity, 2);
  EXPECT_EQ(line.options.pod_manifest_path, "/etc/kubernetes/manifests");
  EXPECT_EQ(line.options.topology.policy, TopologyPolicy::kRestricted);
  EXPECT_TRUE(line.options.features.Enabled(kResourceHealthStatus));
  EXPECT_TRUE(line.options.features.Enabled(kDRAWorkloadResourceClaims));
  EXPECT_THAT(line.leftovers.not_honoured, ElementsAre("cgroupDriver"));
  EXPECT_EQ(line.options.config_file, "/etc/kubernetes/kubelet.yaml");
}

TEST_F(CommandLineTest, ABadFileIsSaidWithItsPlace) {
  WriteConfig("healthzPort: '1'\nmaxPods: no\n");
  surroundings_.working_folder = "/etc";
  EXPECT_EQ(Refusal({"--config=kubernetes/kubelet.yaml"}),
            "kubelet_cm: kubelet config file \"/etc/kubernetes/kubelet.yaml\":\n"
            "  line 3, column 14: healthzPort: expected a whole number, got the string \"1\"\n"
            "  line 4, column 10: maxPods: expected a whole number, got the truth value false\n");
  EXPECT_THAT(Refusal({"--config=none.yaml"}),
              StartsWith("kubelet_cm: failed to read kubelet config file \"/etc/none.yaml\""));
}

TEST_F(CommandLineTest, BadFlagsAreUsageErrors) {
  EXPECT_EQ(Refusal({"--healthz-port=x"}),
            "kubelet_cm: --healthz-port: expected a whole number from 0 to 65535, got \"x\"\n");
  EXPECT_THAT(Refusal({"--no-such-flag"}), HasSubstr("--no-such-flag"));
  EXPECT_THAT(Refusal({"stray"}), HasSubstr("stray"));
  EXPECT_THAT(Refusal({"--root-dir"}), HasSubstr("--root-dir"));
  EXPECT_THAT(Refusal({"--recover=maybe"}), HasSubstr("--recover: expected quarantine or strict"));
  EXPECT_THAT(Refusal({"--emulate-kubelet=1.2"}), HasSubstr("--emulate-kubelet: "));
  EXPECT_THAT(Refusal({"--feature-gates=NoSuchGate=true"}), HasSubstr("unrecognized feature gate: NoSuchGate"));
  EXPECT_THAT(Refusal({"--healthz-bind-address=0.0.0.0"}), HasSubstr("loopback"));
  EXPECT_THAT(Refusal({"--node-name=A_B"}), HasSubstr("--node-name: expected a node's name"));
}

TEST_F(CommandLineTest, AHostNameThatIsNoNodeNameNeedsTheFlag) {
  surroundings_.host_name = "a_b";
  EXPECT_THAT(Refusal({}), HasSubstr("--node-name is needed"));
  EXPECT_EQ(Options({"--node-name=ab"}).node_name, "ab");
}

TEST_F(CommandLineTest, VersionAndHelpExitWithZero) {
  const CommandLine version = Read({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_EQ(version.output, "kubelet_cm " + std::string(kVersion) + "\n");
  EXPECT_EQ(Read({"--help"}).exit_code, 0);
}

TEST_F(CommandLineTest, HelpIsGroupedAndHasDefaults) {
  const std::string help = Read({"--help"}).output;
  for (const DaemonFlag& flag : DaemonFlags()) {
    EXPECT_THAT(help, HasSubstr("\n" + std::string(flag.group) + ":\n"));
    EXPECT_THAT(help, HasSubstr("--" + std::string(flag.name)));
  }
  EXPECT_THAT(help, HasSubstr("\nUsage: kubelet_cm [flags]\n"));
  EXPECT_THAT(help, HasSubstr("(10248)"));
  EXPECT_THAT(help, HasSubstr("(${XDG_STATE_HOME:-~/.local/state}/kubelet_cm)"));
  EXPECT_THAT(help, HasSubstr("ResourceHealthStatus=true|false (BETA - default=true)"));
  EXPECT_THAT(help, HasSubstr("Exit codes:"));
  for (const absl::string_view line : absl::StrSplit(help, '\n')) EXPECT_LE(line.size(), 120u) << line;
}

}  // namespace
}  // namespace kubelet_cm::config
