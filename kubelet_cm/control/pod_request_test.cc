#include "kubelet_cm/control/pod_request.h"

#include <string>

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::AdmitPodRequest;
using ::kubeletcm::v1::PodReference;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr char kManifest[] = R"(
apiVersion: v1
kind: Pod
metadata: {name: web, uid: u-1}
spec:
  containers:
  - name: main
    resources: {limits: {example.com/device: "2"}}
)";

AdmitPodRequest FieldsOfWeb() {
  AdmitPodRequest request;
  request.mutable_fields()->set_name("web");
  auto& container = *request.mutable_fields()->add_containers();
  container.set_name("main");
  (*container.mutable_limits())["example.com/device"] = 2;
  return request;
}

TEST(PodRequestTest, APodIsNamedByItsUidOrByItsNameInANamespace) {
  PodReference reference;
  EXPECT_THAT(PodNameOf(reference), StatusIs(absl::StatusCode::kInvalidArgument));
  reference.set_name("web");
  EXPECT_EQ(PodNameOf(reference)->namespace_name, "default");
  reference.set_namespace_("prod");
  EXPECT_EQ(PodNameOf(reference)->namespace_name, "prod");
  reference.set_uid("u");
  EXPECT_EQ(PodNameOf(reference)->uid, "u");
}

TEST(PodRequestTest, AManifestAndFieldsThatSayTheSameAreTheSamePod) {
  AdmitPodRequest manifest;
  manifest.set_manifest(kManifest);
  AdmitPodRequest fields = FieldsOfWeb();
  fields.mutable_fields()->set_uid("u-1");
  ASSERT_OK_AND_ASSIGN(const Pod from_manifest, PodOf(manifest, "node"));
  ASSERT_OK_AND_ASSIGN(const Pod from_fields, PodOf(fields, "node"));
  EXPECT_EQ(from_manifest, from_fields);
}

TEST(PodRequestTest, APodWithoutAUidGetsTheSameOneEveryTime) {
  ASSERT_OK_AND_ASSIGN(const Pod once, PodOf(FieldsOfWeb(), "node"));
  ASSERT_OK_AND_ASSIGN(const Pod again, PodOf(FieldsOfWeb(), "node"));
  EXPECT_EQ(once.uid, again.uid);
  EXPECT_THAT(once.uid, Not(SizeIs(0)));
  AdmitPodRequest other = FieldsOfWeb();
  other.mutable_fields()->set_name("db");
  EXPECT_NE(PodOf(other, "node")->uid, once.uid);
}

TEST(PodRequestTest, ClaimsAndKindsOfContainersAreTaken) {
  AdmitPodRequest request = FieldsOfWeb();
  auto& claim = *request.mutable_fields()->add_claims();
  claim.set_name("gpu");
  claim.set_resource_claim_name("web-gpu");
  auto& container = *request.mutable_fields()->mutable_containers(0);
  container.set_kind("sidecar");
  auto& use = *container.add_claims();
  use.set_name("gpu");
  use.set_request("big");
  ASSERT_OK_AND_ASSIGN(const Pod pod, PodOf(request, "node"));
  EXPECT_EQ(pod.claims[0].object_name, "web-gpu");
  EXPECT_EQ(pod.containers[0].kind, ContainerKind::kSidecar);
  EXPECT_EQ(pod.containers[0].claims[0], (ContainerClaim{.name = "gpu", .request = "big"}));
}

struct BadRequest {
  const char* what;
  void (*spoil)(AdmitPodRequest*);
};

class BadPodRequestTest : public ::testing::TestWithParam<BadRequest> {};

TEST_P(BadPodRequestTest, IsRefusedWithAWordAboutIt) {
  AdmitPodRequest request = FieldsOfWeb();
  GetParam().spoil(&request);
  EXPECT_THAT(PodOf(request, "node"), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(GetParam().what)));
}

INSTANTIATE_TEST_SUITE_P(
    All, BadPodRequestTest,
    ::testing::Values(
        BadRequest{"needs a manifest or fields", [](AdmitPodRequest* r) { r->clear_pod(); }},
        BadRequest{"the pod has no name", [](AdmitPodRequest* r) { r->mutable_fields()->clear_name(); }},
        BadRequest{"a container has no name",
                   [](AdmitPodRequest* r) { r->mutable_fields()->mutable_containers(0)->clear_name(); }},
        BadRequest{"init, sidecar or app",
                   [](AdmitPodRequest* r) { r->mutable_fields()->mutable_containers(0)->set_kind("main"); }},
        BadRequest{"negative limit",
                   [](AdmitPodRequest* r) {
                     (*r->mutable_fields()->mutable_containers(0)->mutable_limits())["example.com/device"] = -1;
                   }},
        BadRequest{"two containers",
                   [](AdmitPodRequest* r) { r->mutable_fields()->add_containers()->set_name("main"); }},
        BadRequest{"come before app containers",
                   [](AdmitPodRequest* r) {
                     auto& late = *r->mutable_fields()->add_containers();
                     late.set_name("late");
                     late.set_kind("init");
                   }},
        BadRequest{"name of its ResourceClaim", [](AdmitPodRequest* r) { r->mutable_fields()->add_claims(); }},
        BadRequest{"has ended", [](AdmitPodRequest* r) {
                     r->set_manifest(std::string(kManifest) + "status: {phase: Succeeded}\n");
                   }}));

}  // namespace
}  // namespace kubelet_cm
