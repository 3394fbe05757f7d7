#include "dra/claim/claim_annotations.h"

#include "absl/status/status.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ClaimAnnotationsTest : public ::testing::Test {
 protected:
  ClaimAnnotationsTest() {
    entry_.drivers["gpu"].state.devices.Set({SampleDevice("g")});
    entry_.drivers["nic"].state.devices.Set({SampleDevice("n")});
    entry_.drivers["none"];
  }
  ClaimEntry entry_ = {.id = {"ns", "c", "u"}, .driver_name = "own"};
};

TEST_F(ClaimAnnotationsTest, Since128EachDriverHasItsOwnKey) {
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kDriver),
              ElementsAre(CdiAnnotation{"cdi.k8s.io/gpu_u", "vendor.com/class=g"},
                          CdiAnnotation{"cdi.k8s.io/nic_u", "vendor.com/class=n"}));
}

TEST_F(ClaimAnnotationsTest, Until127TheKeyIsThatOfTheClaimsDriverAndComesAgain) {
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kClaimsDriver),
              ElementsAre(CdiAnnotation{"cdi.k8s.io/own_u", "vendor.com/class=g"},
                          CdiAnnotation{"cdi.k8s.io/own_u", "vendor.com/class=n"}));
}

TEST_F(ClaimAnnotationsTest, OneIdThatIsWrongIsAnErrorForTheClaim) {
  ClaimDevice wrong;
  wrong.cdi_device_ids.Set({"wrong"});
  entry_.drivers["nic"].state.devices.Set({wrong});
  EXPECT_THAT(
      AnnotationsOf(entry_, AnnotationKey::kDriver),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "can't generate CDI annotations: CDI annotation failed: unqualified device \"wrong\", missing vendor"));
  entry_.drivers.clear();
  EXPECT_THAT(*AnnotationsOf(entry_, AnnotationKey::kDriver), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
