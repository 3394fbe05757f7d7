#include "tools/cmctl/checkpoint/kubelet_text.h"

#include "gtest/gtest.h"

namespace kubelet_cm::cmctl {
namespace {

TEST(KubeletTextTest, NeighboursAreOneRange) {
  const auto writers = KubeletsWhere([](const Personality& row) { return row.device_writes == DeviceFormat::kV2; });
  EXPECT_EQ(KubeletRanges(writers), "1.20 and later");
}

TEST(KubeletTextTest, HalvesOfAMinorVersionKeepTheirPatchNumbers) {
  const auto readers = KubeletsWhere([](const Personality& row) { return row.Reads(DeviceFormat::kV1); });
  EXPECT_EQ(KubeletRanges(readers), "1.11 to 1.19, 1.20.14 and later 1.20, 1.21.8 and later 1.21, 1.22.5 to 1.30");
}

TEST(KubeletTextTest, NoneIsSaid) { EXPECT_EQ(KubeletRanges({}), "none"); }

}  // namespace
}  // namespace kubelet_cm::cmctl
