#include "deviceplugin/allocation/cdi_annotation.h"

#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kStart[] = "can't generate CDI annotations: CDI annotation failed: ";

TEST(CdiAnnotationTest, NamesAreSortedAndJoinedUnderThePodsAndContainersKey) {
  ASSERT_OK_AND_ASSIGN(const auto annotation, MakeCdiAnnotation("pod1", "con1", {"v.com/gpu=b", "v.com/gpu=a"}));
  EXPECT_EQ(annotation, (CdiAnnotation{"cdi.k8s.io/devicemanager_pod1-con1", "v.com/gpu=a,v.com/gpu=b"}));
}

TEST(CdiAnnotationTest, ThereIsNoneWithoutNames) {
  ASSERT_OK_AND_ASSIGN(const auto annotation, MakeCdiAnnotation("pod1", "con1", {}));
  EXPECT_EQ(annotation, std::nullopt);
}

TEST(CdiAnnotationTest, SlashesInTheKeyBecomeUnderscores) {
  ASSERT_OK_AND_ASSIGN(const auto annotation, MakeCdiAnnotation("a/b", "c", {"v/c=d"}));
  ASSERT_TRUE(annotation.has_value());
  EXPECT_EQ(annotation->key, "cdi.k8s.io/devicemanager_a_b-c");
}

TEST(CdiAnnotationTest, AKeyMayHave63BytesBehindItsPrefix) {
  const std::string uid(36, 'u');
  EXPECT_OK(MakeCdiAnnotation(uid, std::string(12, 'c'), {"v/c=d"}));
  EXPECT_THAT(
      MakeCdiAnnotation(uid, std::string(13, 'c'), {"v/c=d"}),
      StatusIs(absl::StatusCode::kInvalidArgument,
               absl::StrCat(kStart, "invalid plugin+deviceID \"devicemanager_", uid, "-ccccccccccccc\", too long")));
}

TEST(CdiAnnotationTest, KeysAndNamesThatCdiRefusesAreErrorsInItsWords) {
  const struct {
    std::string container;
    std::string device;
    std::string error;
  } cases[] = {
      {"c:d", "v/c=d", R"(invalid name "devicemanager_p-c:d", invalid charcter ':')"},
      {"cé1", "v/c=d", R"(invalid name "devicemanager_p-cé1", invalid charcter 'é')"},
      {"c-", "v/c=d", R"(invalid name "devicemanager_p-c-", last '-' should be alphanumeric)"},
      {"c", "", R"(unqualified device "", missing vendor)"},
      {"c", "gpu0", R"(unqualified device "gpu0", missing vendor)"},
      {"c", "/c=d", R"(unqualified device "/c=d", missing vendor)"},
      {"c", "v/=d", R"(unqualified device "v/=d", missing vendor)"},
      {"c", "v/c=", R"(unqualified device "v/c=", missing vendor)"},
      {"c", "v=c/d", R"(unqualified device "v=c/d", missing vendor)"},
      {"c", "1v/c=d", R"(invalid device "1v/c=d": invalid vendor "1v", should start with letter)"},
      {"c", "v:w/c=d", R"(invalid device "v:w/c=d": invalid character ':' in vendor name "v:w")"},
      {"c", "v./c=d", R"(invalid device "v./c=d": invalid vendor "v.", should end with a letter or digit)"},
      {"c", "v/1c=d", R"(invalid device "v/1c=d": invalid class "1c", should start with letter)"},
      {"c", "v/a.c=d", R"(invalid device "v/a.c=d": invalid character '.' in device class "a.c")"},
      {"c", "v/c-=d", R"(invalid device "v/c-=d": invalid class "c-", should end with a letter or digit)"},
      {"c", "v/c=:", R"(invalid device "v/c=:": invalid class ":", should start with a letter or digit)"},
      {"c", "v/c=a=b", R"(invalid device "v/c=a=b": invalid character '=' in device name "a=b")"},
      {"c", "v/c=a:", R"(invalid device "v/c=a:": invalid name "a:", should end with a letter or digit)"},
  };
  for (const auto& test : cases) {
    EXPECT_THAT(MakeCdiAnnotation("p", test.container, {test.device}),
                StatusIs(absl::StatusCode::kInvalidArgument, kStart + test.error));
  }
}

TEST(CdiAnnotationTest, NamesMayHaveAllThatCdiAllows) {
  EXPECT_OK(MakeCdiAnnotation("p", "c", {"v-e_n.d0/c-l_s=0:a.b-c_d", "v/c=0"}));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
