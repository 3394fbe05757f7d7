#include "kubelet_cm/daemon/claim_access.h"

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "common/folderwatch/inotify_watches.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/real_machine.h"

namespace kubelet_cm {
namespace {

using harness::RealMachine;
using ::testing::HasSubstr;

constexpr char kClaim[] =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: claim, namespace: default, uid: u}\n";

class ClaimAccessTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ClaimAccess>> Open() {
    return ClaimAccess::New({.threads = machine_.threads,
                             .files = machine_.files,
                             .watches = watches_,
                             .random = machine_.random,
                             .log = log_},
                            options_);
  }
  void WriteFile(const std::string& name, const std::string& text) {
    auto file = machine_.files.Open(machine_.folder.path() + "/" + name, OpenMode::kCreate);
    ASSERT_OK(file);
    ASSERT_OK((*file)->Write(text));
  }

  RealMachine machine_;
  InotifyWatches watches_{machine_.clock};
  CapturingLogger log_;
  config::DaemonOptions options_;
};

TEST_F(ClaimAccessTest, WithoutASourceThereAreNoClaimsAndItIsSaidHowToNameOne) {
  ASSERT_OK_AND_ASSIGN(const auto access, Open());
  EXPECT_THAT(access->Get("default", "claim"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("--claim-manifest-path or --kubeconfig")));
  EXPECT_EQ(access->slices(), nullptr);
}

TEST_F(ClaimAccessTest, AFolderIsReadBeforeAnybodyAsks) {
  WriteFile("claim.yaml", kClaim);
  options_.claim_manifest_path = machine_.folder.path();
  ASSERT_OK_AND_ASSIGN(const auto access, Open());
  EXPECT_EQ(access->Get("default", "claim")->id.uid, "u");
  EXPECT_THAT(access->Get("default", "other"), StatusIs(absl::StatusCode::kNotFound));
}

TEST_F(ClaimAccessTest, AFoldersClaimsComeBeforeAnApiServersAndAServerThatIsAwayIsNoMissingClaim) {
  WriteFile("claim.yaml", kClaim);
  WriteFile("kubeconfig",
            "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
            "clusters: [{name: k, cluster: {server: 'http://127.0.0.1:1'}}]\nusers: [{name: u, user: {}}]\n");
  options_.claim_manifest_path = machine_.folder.path();
  options_.kubeconfig = machine_.folder.path() + "/kubeconfig";
  ASSERT_OK_AND_ASSIGN(const auto access, Open());
  EXPECT_EQ(access->Get("default", "claim")->id.uid, "u");
  const absl::Status other = access->Get("default", "other").status();
  EXPECT_FALSE(other.ok());
  EXPECT_FALSE(absl::IsNotFound(other)) << other;
  EXPECT_NE(access->slices(), nullptr);
}

TEST_F(ClaimAccessTest, AKubeconfigThatCannotBeReadIsAnError) {
  options_.kubeconfig = machine_.folder.path() + "/missing";
  EXPECT_FALSE(Open().ok());
}

}  // namespace
}  // namespace kubelet_cm
