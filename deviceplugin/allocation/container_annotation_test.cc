#include "deviceplugin/allocation/container_annotation.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kStart[] = "can't generate CDI annotations: CDI annotation failed: ";

TEST(ContainerAnnotationTest, NamesAreSortedAndJoinedUnderThePodsAndContainersKey) {
  ASSERT_OK_AND_ASSIGN(const auto annotation,
                       ContainerAnnotation("pod1", "con1", {"v.com/gpu=b", "v.com/gpu=a", "v.com/gpu=b"}));
  EXPECT_EQ(annotation, (CdiAnnotation{"cdi.k8s.io/devicemanager_pod1-con1", "v.com/gpu=a,v.com/gpu=b"}));
}

TEST(ContainerAnnotationTest, ThereIsNoneWithoutNames) {
  ASSERT_OK_AND_ASSIGN(const auto annotation, ContainerAnnotation("pod1", "con1", {}));
  EXPECT_EQ(annotation, std::nullopt);
}

TEST(ContainerAnnotationTest, SlashesInTheKeyBecomeUnderscores) {
  ASSERT_OK_AND_ASSIGN(const auto annotation, ContainerAnnotation("a/b", "c", {"v/c=d"}));
  ASSERT_TRUE(annotation.has_value());
  EXPECT_EQ(annotation->key, "cdi.k8s.io/devicemanager_a_b-c");
}

TEST(ContainerAnnotationTest, ContainersOfAPodMayHaveNamesOf12Bytes) {
  const std::string uid(36, 'u');
  EXPECT_OK(ContainerAnnotation(uid, std::string(12, 'c'), {"v/c=d"}));
  EXPECT_THAT(
      ContainerAnnotation(uid, std::string(13, 'c'), {"v/c=d"}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               absl::StrCat(kStart, "invalid plugin+deviceID \"devicemanager_", uid, "-ccccccccccccc\", too long")));
}

TEST(ContainerAnnotationTest, WhatCdiRefusesIsAnErrorInItsWords) {
  EXPECT_THAT(ContainerAnnotation("p", "c:d", {"v/c=d"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(kStart, R"(invalid name "devicemanager_p-c:d", invalid charcter ':')")));
  EXPECT_THAT(ContainerAnnotation("p", "c", {"v/c=d", "gpu0"}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(kStart, R"(unqualified device "gpu0", missing vendor)")));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
