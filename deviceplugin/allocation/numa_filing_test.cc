#include "deviceplugin/allocation/numa_filing.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ids = std::vector<std::string>;

// "none" tells of no node, "gone" is not listed, other ids end in their nodes.
std::optional<absl::Span<const int>> Nodes(std::string_view id) {
  static constexpr int kNode0[] = {0};
  static constexpr int kNode1[] = {1};
  static constexpr int kBoth[] = {0, 1};
  if (id == "gone") return std::nullopt;
  if (id == "none") return absl::Span<const int>();
  if (id.ends_with("01")) return kBoth;
  return id.ends_with("1") ? absl::Span<const int>(kNode1) : absl::Span<const int>(kNode0);
}

TEST(NumaFilingTest, AnIdStandsUnderEveryNodeOfItsDevice) {
  EXPECT_EQ(FileByNumaNode(Ids{"a0", "b1", "c01"}, Nodes),
            (DevicesPerNuma{{0, DeviceIds{"a0", "c01"}}, {1, DeviceIds{"b1", "c01"}}}));
}

TEST(NumaFilingTest, ADeviceWithoutNodesStandsUnderMinusOne) {
  EXPECT_EQ(FileByNumaNode(Ids{"none"}, Nodes), (DevicesPerNuma{{-1, DeviceIds{"none"}}}));
}

TEST(NumaFilingTest, WhereKubeletsOf120To122FileDevicesWithoutNodesIsUpToTheCaller) {
  EXPECT_EQ(FileByNumaNode(Ids{"none", "b1"}, Nodes, 0),
            (DevicesPerNuma{{0, DeviceIds{"none"}}, {1, DeviceIds{"b1"}}}));
}

TEST(NumaFilingTest, ADeviceThatWasDroppedMeanwhileStandsUnderMinusOne) {
  EXPECT_EQ(FileByNumaNode(Ids{"a0", "gone"}, Nodes), (DevicesPerNuma{{-1, DeviceIds{"gone"}}, {0, DeviceIds{"a0"}}}));
}

TEST(NumaFilingTest, RefilingMovesWhatIsListedAndLeavesWhatIsNot) {
  const Refiled refiled = RefileByNumaNode({{0, DeviceIds{"b1", "gone", "none"}}, {5, DeviceIds{"b1"}}}, Nodes);
  EXPECT_EQ(refiled.devices, (DevicesPerNuma{{-1, DeviceIds{"none"}}, {0, DeviceIds{"gone"}}, {1, DeviceIds{"b1"}}}));
  EXPECT_FALSE(refiled.complete);
}

TEST(NumaFilingTest, RefilingIsCompleteWhenAllAreListed) {
  const Refiled refiled = RefileByNumaNode({{0, DeviceIds{"a0", "b1"}}, {3, std::nullopt}}, Nodes);
  EXPECT_EQ(refiled.devices, (DevicesPerNuma{{0, DeviceIds{"a0"}}, {1, DeviceIds{"b1"}}}));
  EXPECT_TRUE(refiled.complete);
}

TEST(NumaFilingTest, IdsUnderSeveralNodesCountOnce) {
  EXPECT_THAT(SortedIds(DevicesPerNuma{{0, DeviceIds{"b", "a"}}, {1, DeviceIds{"b"}}, {2, std::nullopt}}),
              ElementsAre("a", "b"));
  EXPECT_THAT(SortedIds(std::nullopt), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
