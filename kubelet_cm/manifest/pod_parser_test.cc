#include "kubelet_cm/manifest/pod_parser.h"

#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

constexpr char kWhole[] = R"(apiVersion: v1
kind: Pod
metadata:
  name: trainer
  namespace: ml
  uid: 7a1d
  labels: {app: x}
spec:
  nodeName: n1
  schedulingGroup: {podGroupName: gang}
  resources: {limits: {example.com/gpu: 3}}
  initContainers:
  - name: setup
    resources: {limits: {example.com/gpu: "1", cpu: 500m}}
  - name: side
    restartPolicy: Always
    image: busybox
  containers:
  - name: main
    resources:
      limits: {example.com/gpu: 2, memory: 1Gi}
      claims: [{name: nic}, {name: shared, request: fast}]
  resourceClaims:
  - {name: nic, resourceClaimTemplateName: nics}
  - {name: shared, resourceClaimName: the-shared-one}
  - {name: old, source: {resourceClaimTemplateName: olds}}
status:
  phase: Running
  resourceClaimStatuses:
  - {name: nic, resourceClaimName: trainer-nic-x7}
  - {name: old}
  extendedResourceClaimStatus:
    resourceClaimName: trainer-extended
    requestMappings: [{containerName: main, resourceName: example.com/gpu, requestName: r0}]
)";

// A pod with one container, whose text is given.
std::string PodWith(const std::string& container, const std::string& more_spec = "") {
  return absl::StrCat("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - ", container, "\n",
                      more_spec);
}

auto IsRefused(const std::string& message) { return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message)); }

TEST(PodParserTest, ReadsIdentityAndContainersInOrder) {
  ASSERT_OK_AND_ASSIGN(const PodManifest manifest, ParsePod(kWhole));
  const Pod& pod = manifest.pod;
  EXPECT_EQ(pod.uid, "7a1d");
  EXPECT_EQ(pod.namespace_name, "ml");
  EXPECT_EQ(pod.name, "trainer");
  EXPECT_EQ(pod.scheduling_group, "gang");
  EXPECT_EQ(manifest.node_name, "n1");
  EXPECT_EQ(manifest.phase, "Running");
  EXPECT_FALSE(manifest.being_deleted);
  ASSERT_THAT(pod.containers, SizeIs(3));
  EXPECT_EQ(pod.containers[0].name, "setup");
  EXPECT_EQ(pod.containers[0].kind, ContainerKind::kInit);
  EXPECT_EQ(pod.containers[1].kind, ContainerKind::kSidecar);
  EXPECT_EQ(pod.containers[2].kind, ContainerKind::kApp);
}

TEST(PodParserTest, ReadsLimitsAsWholeNumbers) {
  ASSERT_OK_AND_ASSIGN(const PodManifest manifest, ParsePod(kWhole));
  const Pod& pod = manifest.pod;
  EXPECT_THAT(pod.containers[0].limits, ElementsAre(Pair("cpu", 1), Pair("example.com/gpu", 1)));
  EXPECT_THAT(pod.containers[1].limits, IsEmpty());
  EXPECT_THAT(pod.containers[2].limits, ElementsAre(Pair("example.com/gpu", 2), Pair("memory", 1 << 30)));
  EXPECT_THAT(pod.pod_limits, ElementsAre(Pair("example.com/gpu", 3)));
}

TEST(PodParserTest, ReadsClaimsAndWhatTheStatusSaysOfThem) {
  ASSERT_OK_AND_ASSIGN(const PodManifest manifest, ParsePod(kWhole));
  const Pod& pod = manifest.pod;
  EXPECT_THAT(pod.claims,
              ElementsAre(PodClaim{.name = "nic", .object_name = "trainer-nic-x7", .from_template = true},
                          PodClaim{.name = "shared", .object_name = "the-shared-one"},
                          PodClaim{.name = "old", .object_name = {}, .from_template = true, .not_needed = true}));
  EXPECT_THAT(pod.containers[2].claims, ElementsAre(ContainerClaim{"nic", ""}, ContainerClaim{"shared", "fast"}));
  ASSERT_TRUE(pod.extended_resource_claim.has_value());
  EXPECT_EQ(pod.extended_resource_claim->object_name, "trainer-extended");
  EXPECT_TRUE(pod.BackedByClaim("main", "example.com/gpu"));
}

TEST(PodParserTest, TakesAPodThatSaysLittle) {
  ASSERT_OK_AND_ASSIGN(const PodManifest manifest, ParsePod(PodWith("name: c", "  resourceClaims: [{name: a}]\n")));
  EXPECT_EQ(manifest.pod.namespace_name, "default");
  EXPECT_EQ(manifest.pod.uid, "");
  EXPECT_THAT(manifest.pod.claims, ElementsAre(PodClaim{.name = "a", .object_name = {}}));
}

TEST(PodParserTest, FingerprintsTheContentAndNotItsForm) {
  ASSERT_OK_AND_ASSIGN(const PodManifest plain, ParsePod(PodWith("name: c")));
  ASSERT_OK_AND_ASSIGN(const PodManifest commented, ParsePod(PodWith("name:    \"c\"  # the one")));
  ASSERT_OK_AND_ASSIGN(const PodManifest other, ParsePod(PodWith("name: d")));
  EXPECT_EQ(plain.fingerprint, commented.fingerprint);
  EXPECT_NE(plain.fingerprint, other.fingerprint);
}

TEST(PodParserTest, ReadsManyPods) {
  const std::string two = PodWith("name: c") + "---\n" + PodWith("name: d");
  ASSERT_OK_AND_ASSIGN(const auto pods, ParsePods(two));
  EXPECT_THAT(pods, SizeIs(2));
  EXPECT_THAT(ParsePod(two), IsRefused("2 pods, where one is meant"));
  EXPECT_THAT(ParsePod(""), IsRefused("0 pods, where one is meant"));
  EXPECT_THAT(ParsePods(two + "---\napiVersion: v1\nkind: Service\n"),
              IsRefused("line 15, column 1: kind: \"Service\" is not Pod"));
  EXPECT_THAT(ParsePods("apiVersion: v2\nkind: Pod\n"), IsRefused("apiVersion: \"v2\" is not v1"));
}

TEST(PodParserTest, NamesPlaceAndFieldOfAWrongLimit) {
  EXPECT_THAT(ParsePod(PodWith("name: c\n    resources: {limits: {a/b: 1x}}")),
              IsRefused("line 7, column 31: spec.containers[0].resources.limits[\"a/b\"]: "
                        "unable to parse quantity's suffix"));
  EXPECT_THAT(ParsePod(PodWith("{name: c, resources: {limits: {a/b: -1}}}")),
              IsRefused("Invalid value: \"-1\": must be greater than or equal to 0"));
  EXPECT_THAT(ParsePod(PodWith("{name: c, resources: {limits: {a/b: 1.5}}}")),
              IsRefused("Invalid value: \"1.5\": must be an integer"));
  EXPECT_THAT(ParsePod(PodWith("{name: c, resources: {limits: {a/b: [1]}}}")), IsRefused("quantities must match"));
}

TEST(PodParserTest, NamesPlaceAndFieldOfAWrongType) {
  EXPECT_THAT(ParsePod(PodWith("name: {a: b}")),
              IsRefused("line 6, column 11: json: cannot unmarshal object into Go struct field "
                        "Container.spec.containers.name of type string"));
}

TEST(PodParserTest, ChecksNames) {
  EXPECT_THAT(ParsePod(PodWith("image: x")), IsRefused("line 6, column 5: spec.containers[0].name: Required value"));
  EXPECT_THAT(ParsePod(PodWith("name: UP")), IsRefused("spec.containers[0].name: Invalid value: \"UP\""));
  EXPECT_THAT(ParsePod(PodWith("name: c\n  - name: c")),
              IsRefused("line 7, column 5: spec.containers[1].name: Duplicate value: \"c\""));
  EXPECT_THAT(ParsePod("apiVersion: v1\nkind: Pod\nspec: {containers: [{name: c}]}\n"),
              IsRefused("metadata.name: Required value"));
  EXPECT_THAT(ParsePod("apiVersion: v1\nkind: Pod\nmetadata: {name: p, uid: ../x}\nspec: {containers: [{name: c}]}\n"),
              IsRefused("metadata.uid: Invalid value: \"../x\": not a UID"));
  EXPECT_THAT(ParsePod("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n"),
              IsRefused("spec.containers: Required value"));
}

TEST(PodParserTest, ChecksClaims) {
  EXPECT_THAT(ParsePod(PodWith("{name: c, resources: {claims: [{name: x}]}}")),
              IsRefused("spec.containers[0].resources.claims[0].name: Not found: \"x\""));
  EXPECT_THAT(ParsePod(PodWith("name: c", "  resourceClaims: [{name: a}, {name: a}]\n")),
              IsRefused("spec.resourceClaims[1].name: Duplicate value: \"a\""));
  EXPECT_THAT(ParsePod(PodWith("name: c",
                               "  resourceClaims: [{name: a, resourceClaimName: x, "
                               "resourceClaimTemplateName: t}]\n")),
              IsRefused("at most one of"));
  EXPECT_THAT(ParsePod(PodWith("name: c", "  resourceClaims: [{name: a, resourceClaimName: X/Y}]\n")),
              IsRefused("spec.resourceClaims[0].resourceClaimName: Invalid value: \"X/Y\""));
}

TEST(PodParserTest, BoundsCounts) {
  std::string list;
  for (size_t i = 0; i <= kMaxContainers; ++i) absl::StrAppend(&list, "{\"name\":\"c", i, "\"},");
  list.pop_back();
  EXPECT_THAT(
      ParsePod("{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{\"containers\":[" +
               list + "]}}"),
      IsRefused("spec.containers: Too many: 1001: must have at most 1000 items"));
}

}  // namespace
}  // namespace kubelet_cm
