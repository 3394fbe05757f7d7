#include "tools/cmctl/node/node_names.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

using testing::HasSubstr;

::kubeletcm::v1::ListPodsResponse Pods() {
  ::kubeletcm::v1::ListPodsResponse pods;
  for (const auto& [uid, namespace_name, name] :
       {std::tuple("u1", "default", "web"), std::tuple("u2", "other", "web"), std::tuple("web", "x", "y")}) {
    auto& pod = *pods.add_pods()->mutable_pod();
    pod.set_uid(uid);
    pod.set_namespace_(namespace_name);
    pod.set_name(name);
  }
  return pods;
}

::kubeletcm::v1::ListClaimsResponse Claims() {
  ::kubeletcm::v1::ListClaimsResponse claims;
  auto& claim = *claims.add_claims();
  claim.set_uid("c1");
  claim.set_namespace_("batch");
  claim.set_name("gpus");
  return claims;
}

TEST(NodeNamesTest, APodIsMeantByUidNameOrBoth) {
  EXPECT_EQ(FindPod(Pods(), {"u2"})->pod().uid(), "u2");
  EXPECT_EQ(FindPod(Pods(), {"default/web"})->pod().uid(), "u1");
  EXPECT_EQ(FindPod(Pods(), {"y", "x"})->pod().uid(), "web");
  EXPECT_EQ(FindPod(Pods(), {"web", "x"})->pod().uid(), "web");
}

TEST(NodeNamesTest, WhatIsPrintedAsANameIsOne) {
  EXPECT_EQ(FindPod(Pods(), {"pod/other/web"})->pod().uid(), "u2");
  EXPECT_EQ(FindPod(Pods(), {"pod/u2"})->pod().uid(), "u2");
  EXPECT_EQ(FindClaim(Claims(), {"claim/batch/gpus"})->uid(), "c1");
  EXPECT_EQ(FindClaim(Claims(), {"claim/c1"})->uid(), "c1");
  // Of another kind, it is not.
  EXPECT_THAT(FindPod(Pods(), {"claim/other/web"}).status(), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_TRUE(Means("device/example.com/gpu/dev-0", "device", DeviceId("example.com/gpu", "dev-0")));
  EXPECT_TRUE(Means("example.com/gpu/dev-0", "device", DeviceId("example.com/gpu", "dev-0")));
  EXPECT_FALSE(Means("resource/example.com/gpu/dev-0", "device", DeviceId("example.com/gpu", "dev-0")));
}

TEST(NodeNamesTest, AClaimIsMeantByUidNameOrBoth) {
  EXPECT_EQ(FindClaim(Claims(), {"c1"})->uid(), "c1");
  EXPECT_EQ(FindClaim(Claims(), {"gpus", "batch"})->uid(), "c1");
  EXPECT_EQ(FindClaim(Claims(), {"batch/gpus"})->uid(), "c1");
  EXPECT_THAT(FindClaim(Claims(), {"gpus"}).status(),
              StatusIs(absl::StatusCode::kNotFound, "no claim default/gpus is known; there is batch/gpus"));
}

TEST(NodeNamesTest, OfSeveralNoneIsTaken) {
  ::kubeletcm::v1::ListPodsResponse pods = Pods();
  // The one that comes in the place of one that goes; and one whose name is the uid of another.
  *pods.add_pods() = pods.pods(0);
  pods.mutable_pods(3)->mutable_pod()->set_uid("u4");
  pods.mutable_pods(0)->set_state(::kubeletcm::v1::POD_STATE_TERMINATING);
  pods.mutable_pods(3)->set_state(::kubeletcm::v1::POD_STATE_ADMITTED);
  EXPECT_THAT(FindPod(pods, {"default/web"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "default/web may be default/web (uid u1, Terminating) or default/web (uid u4, Admitted): "
                       "say which, by its uid or by NAMESPACE/NAME"));
  EXPECT_THAT(FindPod(pods, {"web", "other"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("other/web (uid u2, Unknown) or x/y (uid web")));
  EXPECT_EQ(FindPod(pods, {"u4"})->pod().uid(), "u4");
  EXPECT_EQ(FindPods(pods, {"default/web"})->size(), 2);
}

TEST(NodeNamesTest, APodElsewhereIsAHint) {
  EXPECT_THAT(FindPod(Pods(), {"y"}), StatusIs(absl::StatusCode::kNotFound, "no pod default/y is known; there is x/y"));
  EXPECT_THAT(FindPod(Pods(), {"a/b/c"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(NodeNamesTest, AnAgeIsAsCoarseAsItIsLong) {
  const absl::Time then = absl::FromUnixSeconds(1'000'000);
  const auto age = [&](int64_t seconds) { return AgeText(absl::ToUnixNanos(then), then + absl::Seconds(seconds)); };
  EXPECT_EQ(age(0), "0s");
  EXPECT_EQ(age(119), "119s");
  EXPECT_EQ(age(120), "2m");
  EXPECT_EQ(age(200), "3m20s");
  EXPECT_EQ(age(3599), "59m");
  EXPECT_EQ(age(3 * 3600), "3h");
  EXPECT_EQ(age(48 * 3600), "2d");
  EXPECT_EQ(age(-5), "0s");
  EXPECT_EQ(AgeText(0, then), "");
}

TEST(NodeNamesTest, ANameHasTwoParts) {
  EXPECT_EQ(ParseObjectName("pod", {"a/b", "c"})->namespace_name, "a");
  EXPECT_EQ(ParseObjectName("pod", {"b", "c"})->namespace_name, "c");
  EXPECT_EQ(ParseObjectName("pod", {"b"})->namespace_name, "default");
  EXPECT_EQ(ParseObjectName("pod", {"pod/b"})->namespace_name, "pod");
  EXPECT_EQ(ParseObjectName("pod", {"pod/a/b"})->namespace_name, "a");
  for (const char* wrong : {"", "/b", "a/", "a/b/c", "pod//b", "pod/a/b/c"}) {
    EXPECT_THAT(ParseObjectName("pod", {wrong}).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("neither NAME nor NAMESPACE/NAME")));
  }
}

}  // namespace
}  // namespace kubelet_cm::cmctl
