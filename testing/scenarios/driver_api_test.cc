#include "testing/scenarios/driver_api.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::scenarios {
namespace {

using dra::DraApi;

const Personality& As(const char* version) { return **ParsePersonality(version); }

TEST(DriverApiTest, TheNewestIsWhatADriverOfThatTimeSpeaks) {
  EXPECT_EQ(NewestApiOf(As("1.26")), DraApi::kV1Alpha1);
  EXPECT_EQ(NewestApiOf(As("1.27")), DraApi::kV1Alpha2);
  EXPECT_EQ(NewestApiOf(As("1.30")), DraApi::kV1Alpha3);
  EXPECT_EQ(NewestApiOf(As("1.31")), DraApi::kV1Alpha4);
  EXPECT_EQ(NewestApiOf(As("1.33")), DraApi::kV1Beta1);
  EXPECT_EQ(NewestApiOf(As("1.34")), DraApi::kV1);
  EXPECT_EQ(NewestApiOf(As("latest")), DraApi::kV1);
}

TEST(DriverApiTest, AKubeletSpeaksToDriversOfBeforeAsLongAsItHasTheirProtocol) {
  EXPECT_TRUE(Speaks(As("1.30"), DraApi::kV1Alpha2));
  EXPECT_TRUE(Speaks(As("1.36"), DraApi::kV1Beta1));
  EXPECT_TRUE(Speaks(As("latest"), DraApi::kV1Alpha4));
  EXPECT_FALSE(Speaks(As("1.31"), DraApi::kV1Alpha3));
  EXPECT_FALSE(Speaks(As("1.33"), DraApi::kV1));
  EXPECT_FALSE(Speaks(As("latest"), DraApi::kV1Alpha3));
  EXPECT_FALSE(Speaks(As("1.25"), DraApi::kV1Alpha1));
}

}  // namespace
}  // namespace kubelet_cm::scenarios
