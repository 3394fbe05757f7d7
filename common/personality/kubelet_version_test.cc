#include "common/personality/kubelet_version.h"

#include "common/status/status_matchers.h"
#include "gtest/gtest.h"

namespace kubelet_cm {
namespace {

using ::testing::HasSubstr;

TEST(KubeletVersionTest, ReadsWhatKubeletsPrint) {
  EXPECT_THAT(KubeletVersion::Parse("1.20.15"), IsOkAndHolds(KubeletVersion{1, 20, 15}));
  EXPECT_THAT(KubeletVersion::Parse("v1.22.17"), IsOkAndHolds(KubeletVersion{1, 22, 17}));
  EXPECT_THAT(KubeletVersion::Parse("v1.38.0-alpha.0+e81f39c0e03c"), IsOkAndHolds(KubeletVersion{1, 38, 0}));
  EXPECT_THAT(KubeletVersion::Parse("v1.30.2-eks-1552ad0"), IsOkAndHolds(KubeletVersion{1, 30, 2}));
}

TEST(KubeletVersionTest, AMinorVersionAloneIsItsFirstRelease) {
  EXPECT_THAT(KubeletVersion::Parse("1.20"), IsOkAndHolds(KubeletVersion{1, 20, 0}));
}

TEST(KubeletVersionTest, RefusesOtherTexts) {
  for (const char* text : {"", "1", "latest", "1.x", "1.20.", "-1.20", "1.20.15 ", "1.99999999999"}) {
    EXPECT_THAT(KubeletVersion::Parse(text), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text))) << text;
  }
}

TEST(KubeletVersionTest, ComparesByNumber) {
  EXPECT_LT((KubeletVersion{1, 9, 0}), (KubeletVersion{1, 10, 0}));
  EXPECT_LT((KubeletVersion{1, 20, 13}), (KubeletVersion{1, 20, 14}));
  EXPECT_EQ((KubeletVersion{1, 20, 14}).ToString(), "1.20.14");
}

}  // namespace
}  // namespace kubelet_cm
