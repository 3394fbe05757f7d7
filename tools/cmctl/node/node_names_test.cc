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

TEST(NodeNamesTest, APodIsMeantByUidNameOrBoth) {
  EXPECT_EQ(FindPod(Pods(), "u2", "")->pod().uid(), "u2");
  EXPECT_EQ(FindPod(Pods(), "default/web", "")->pod().uid(), "u1");
  EXPECT_EQ(FindPod(Pods(), "y", "x")->pod().uid(), "web");
  // A uid is one pod's for certain.
  EXPECT_EQ(FindPod(Pods(), "web", "other")->pod().uid(), "web");
}

TEST(NodeNamesTest, APodElsewhereIsAHint) {
  EXPECT_THAT(FindPod(Pods(), "y", ""),
              StatusIs(absl::StatusCode::kNotFound, "no pod default/y is known; there is x/y"));
  EXPECT_THAT(FindPod(Pods(), "a/b/c", ""), StatusIs(absl::StatusCode::kInvalidArgument));
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
  EXPECT_EQ(ParseObjectName("a/b", "c")->namespace_name, "a");
  EXPECT_EQ(ParseObjectName("b", "c")->namespace_name, "c");
  EXPECT_EQ(ParseObjectName("b", "")->namespace_name, "default");
  for (const char* wrong : {"", "/b", "a/", "a/b/c"}) {
    EXPECT_THAT(ParseObjectName(wrong, "").status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("neither NAME nor NAMESPACE/NAME")));
  }
}

}  // namespace
}  // namespace kubelet_cm::cmctl
