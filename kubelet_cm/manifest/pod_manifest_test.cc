#include "kubelet_cm/manifest/pod_manifest.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

PodManifest Manifest(const std::string& uid = "") {
  return {.pod = {.uid = uid, .namespace_name = "default", .name = "web"}, .fingerprint = "f00"};
}

TEST(PodManifestTest, GivesStaticPodsTheNameOfTheNode) {
  ASSERT_OK_AND_ASSIGN(const PodManifest pod, AsStaticPod(Manifest("u1"), "Node-A.example"));
  EXPECT_EQ(pod.pod.name, "web-node-a.example");
  EXPECT_EQ(pod.pod.uid, "u1");
  EXPECT_EQ(pod.node_name, "Node-A.example");
}

TEST(PodManifestTest, MakesTheSameUidForTheSameContentOnTheSameNode) {
  ASSERT_OK_AND_ASSIGN(const PodManifest first, AsStaticPod(Manifest(), "a"));
  ASSERT_OK_AND_ASSIGN(const PodManifest again, AsStaticPod(Manifest(), "a"));
  ASSERT_OK_AND_ASSIGN(const PodManifest elsewhere, AsStaticPod(Manifest(), "b"));
  PodManifest other = Manifest();
  other.fingerprint = "f01";
  EXPECT_EQ(first.pod.uid.size(), 32);
  EXPECT_EQ(first.pod.uid, again.pod.uid);
  EXPECT_NE(first.pod.uid, elsewhere.pod.uid);
  EXPECT_NE(first.pod.uid, UidFromContent(other, "a"));
}

TEST(PodManifestTest, RefusesANameThatTheNodeMakesTooLong) {
  PodManifest manifest = Manifest();
  manifest.pod.name = std::string(250, 'x');
  EXPECT_THAT(AsStaticPod(manifest, "node"), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kubelet_cm
