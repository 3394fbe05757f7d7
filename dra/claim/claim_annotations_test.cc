#include "dra/claim/claim_annotations.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

auto Refused(const std::string& why) {
  return StatusIs(absl::StatusCode::kInvalidArgument,
                  absl::StrCat("can't generate CDI annotations: CDI annotation failed: ", why));
}

absl::StatusOr<ClaimAnnotation> WithKey(const std::string& driver, const std::string& uid) {
  return MakeClaimAnnotation(driver, uid, {"v/c=n"});
}
absl::StatusOr<ClaimAnnotation> WithId(const std::string& id) { return MakeClaimAnnotation("d", "u", {"v/c=n", id}); }

TEST(ClaimAnnotationsTest, TheKeyIsTheDriverAndTheUidAndTheValueTheIdsInTheirOrder) {
  ASSERT_OK_AND_ASSIGN(const ClaimAnnotation annotation,
                       MakeClaimAnnotation("gpu.example.com", "a/b", {"v.com/c=z", "v.com/c=a"}));
  EXPECT_EQ(annotation, (ClaimAnnotation{"cdi.k8s.io/gpu.example.com_a_b", "v.com/c=z,v.com/c=a"}));
}

TEST(ClaimAnnotationsTest, TheNameInTheKeyHasAtMost63Characters) {
  EXPECT_OK(WithKey(std::string(61, 'd'), "u"));
  const std::string name = std::string(62, 'd') + "_u";
  EXPECT_THAT(WithKey(std::string(62, 'd'), "u"), Refused("invalid plugin+deviceID \"" + name + "\", too long"));
}

TEST(ClaimAnnotationsTest, TheNameInTheKeyHasAlphanumericEndsAndFewOthersInside) {
  EXPECT_OK(WithKey("a-b.c", "u"));
  EXPECT_THAT(WithKey("", "u"), Refused("invalid plugin name, empty"));
  EXPECT_THAT(WithKey("d", ""), Refused("invalid deviceID, empty"));
  EXPECT_THAT(WithKey("-d", "u"), Refused(R"(invalid name "-d_u", first '-' should be alphanumeric)"));
  EXPECT_THAT(WithKey("d", "u-"), Refused(R"(invalid name "d_u-", last '-' should be alphanumeric)"));
  EXPECT_THAT(WithKey("d:e", "u"), Refused(R"(invalid name "d:e_u", invalid charcter ':')"));
  EXPECT_THAT(WithKey("d\u00e9", "u"), Refused("invalid name \"d\u00e9_u\", invalid charcter '\u00e9'"));
}

TEST(ClaimAnnotationsTest, AnIdIsVendorClassAndName) {
  for (const char* const id : {"v/c=n", "V.1-a_b/c-d_1=9:.-_n", "v/c=n=m"}) {
    EXPECT_EQ(WithId(id).ok(), std::string(id) != "v/c=n=m") << id;
  }
  for (const char* const id : {"", "/v/c=n", "v/c", "v/c=", "=n", "vc=n", "v/=n", "/c=n"}) {
    EXPECT_THAT(WithId(id), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("missing vendor"))) << id;
  }
}

TEST(ClaimAnnotationsTest, EachPartOfAnIdHasItsCharacters) {
  EXPECT_THAT(WithId("1v/c=n"), Refused(R"(invalid device "1v/c=n": invalid vendor "1v", should start with letter)"));
  EXPECT_THAT(WithId("v-/c=n"),
              Refused(R"(invalid device "v-/c=n": invalid vendor "v-", should end with a letter or digit)"));
  EXPECT_THAT(WithId("v:v/c=n"), Refused(R"(invalid device "v:v/c=n": invalid character ':' in vendor name "v:v")"));
  EXPECT_THAT(WithId("v/1=n"), Refused(R"(invalid device "v/1=n": invalid class "1", should start with letter)"));
  EXPECT_THAT(WithId("v/c.d=n"), Refused(R"(invalid device "v/c.d=n": invalid character '.' in device class "c.d")"));
  EXPECT_THAT(WithId("v/c=:n"),
              Refused(R"(invalid device "v/c=:n": invalid class ":n", should start with a letter or digit)"));
  EXPECT_THAT(WithId("v/c=a,b"), Refused(R"(invalid device "v/c=a,b": invalid character ',' in device name "a,b")"));
  EXPECT_THAT(WithId("v/c=n:"),
              Refused(R"(invalid device "v/c=n:": invalid name "n:", should end with a letter or digit)"));
}

class ClaimAnnotationsOfTest : public ::testing::Test {
 protected:
  ClaimAnnotationsOfTest() {
    entry_.drivers["gpu"].state.devices.Set({SampleDevice("g")});
    entry_.drivers["nic"].state.devices.Set({SampleDevice("n")});
    entry_.drivers["none"];
  }
  ClaimEntry entry_ = {.id = {"ns", "c", "u"}, .driver_name = "own"};
};

TEST_F(ClaimAnnotationsOfTest, Since128EachDriverHasItsOwnKey) {
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kDriver),
              ElementsAre(ClaimAnnotation{"cdi.k8s.io/gpu_u", "vendor.com/class=g"},
                          ClaimAnnotation{"cdi.k8s.io/nic_u", "vendor.com/class=n"}));
}

TEST_F(ClaimAnnotationsOfTest, Until127TheKeyIsThatOfTheClaimsDriverAndComesAgain) {
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kClaimsDriver),
              ElementsAre(ClaimAnnotation{"cdi.k8s.io/own_u", "vendor.com/class=g"},
                          ClaimAnnotation{"cdi.k8s.io/own_u", "vendor.com/class=n"}));
}

TEST_F(ClaimAnnotationsOfTest, OneIdThatIsWrongIsAnErrorForTheClaim) {
  ClaimDevice wrong;
  wrong.cdi_device_ids.Set({"wrong"});
  entry_.drivers["nic"].state.devices.Set({wrong});
  EXPECT_THAT(AnnotationsOf(entry_, AnnotationKey::kDriver), StatusIs(absl::StatusCode::kInvalidArgument));
  entry_.drivers.clear();
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kDriver), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
