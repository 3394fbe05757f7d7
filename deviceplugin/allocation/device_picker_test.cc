#include "deviceplugin/allocation/device_picker.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ids = std::vector<std::string>;

constexpr int kNode0[] = {0};
constexpr int kNode1[] = {1};
constexpr int kBothNodes[] = {0, 1};
const NumaMask kMask0 = NumaMask::OfOne(0);
const NumaMask kMask1 = NumaMask::OfOne(1);

// Two devices on each of two nodes, and one whose place is unknown.
std::vector<CandidateDevice> FiveDevices() {
  return {{"a0", kNode0}, {"b0", kNode0}, {"c1", kNode1}, {"d1", kNode1}, {"e", {}}};
}

PickRequest Request(int64_t count, std::optional<NumaMask> affinity = std::nullopt, bool ask = false) {
  return {.resource_name = "r",
          .count = count,
          .reusable = {},
          .available = FiveDevices(),
          .has_topology = true,
          .affinity = affinity,
          .ask_preferred = ask};
}

std::vector<CandidateDevice> Without(std::vector<CandidateDevice> devices, const Ids& ids) {
  std::erase_if(devices, [&](const CandidateDevice& d) { return std::count(ids.begin(), ids.end(), d.id) > 0; });
  return devices;
}

// A whole pick. What was chosen before the question is reserved then, and so are `gone`.
absl::StatusOr<Ids> PickAll(PickRequest request, const Ids& preferred = {}, const Ids& gone = {}) {
  const auto pick = StartPick(request);
  if (!pick.ok()) return pick.status();
  request.available = Without(Without(request.available, pick->ids), gone);
  return FinishPick(request, *pick, preferred);
}

TEST(DevicePickerTest, TakesTheFirstByIdWithoutAffinity) {
  EXPECT_THAT(PickAll(Request(2)), IsOkAndHolds(ElementsAre("a0", "b0")));
}

TEST(DevicePickerTest, ThePickDoesNotDependOnTheOrderOfWhatIsGiven) {
  PickRequest request = Request(2);
  std::reverse(request.available.begin(), request.available.end());
  request.reusable = {"z", "y"};
  EXPECT_THAT(PickAll(request), IsOkAndHolds(ElementsAre("y", "z")));
  request.reusable = {"z"};
  EXPECT_THAT(PickAll(request), IsOkAndHolds(ElementsAre("a0", "z")));
}

TEST(DevicePickerTest, AnIdThatIsGivenTwiceCountsOnce) {
  PickRequest request = Request(2);
  request.reusable = {"y", "y", "z"};
  EXPECT_THAT(PickAll(request), IsOkAndHolds(ElementsAre("y", "z")));
}

TEST(DevicePickerTest, ReusableDevicesAreTakenFirst) {
  PickRequest request = Request(2, kMask0, true);
  request.reusable = {"x", "y", "z"};
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(request));
  EXPECT_THAT(pick.ids, ElementsAre("x", "y"));
  EXPECT_EQ(pick.question, std::nullopt);
}

TEST(DevicePickerTest, ReusableDevicesSufficeThoughNothingIsAvailable) {
  PickRequest request = Request(1);
  request.reusable = {"x"};
  request.available = {};
  EXPECT_THAT(PickAll(request), IsOkAndHolds(ElementsAre("x")));
}

TEST(DevicePickerTest, TooFewAvailableIsAnErrorThatCountsWhatReuseLeavesOpen) {
  EXPECT_THAT(StartPick(Request(6)),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "requested number of devices unavailable for r. Requested: 6, Available: 5"));
  PickRequest request = Request(8);
  request.reusable = {"x", "y"};
  EXPECT_THAT(StartPick(request),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "requested number of devices unavailable for r. Requested: 6, Available: 5"));
}

TEST(DevicePickerTest, AlignedComeBeforeUnalignedBeforeThoseWithoutAffinity) {
  EXPECT_THAT(PickAll(Request(1, kMask1)), IsOkAndHolds(ElementsAre("c1")));
  EXPECT_THAT(PickAll(Request(3, kMask1)), IsOkAndHolds(ElementsAre("a0", "c1", "d1")));
  EXPECT_THAT(PickAll(Request(5, kMask1)), IsOkAndHolds(ElementsAre("a0", "b0", "c1", "d1", "e")));
  PickRequest request = Request(3, kMask0);
  request.available = {{"0-nowhere", {}}, {"1-other", kNode1}, {"2-here", kNode0}, {"3-other", kNode1}};
  EXPECT_THAT(PickAll(request), IsOkAndHolds(ElementsAre("1-other", "2-here", "3-other")));
}

TEST(DevicePickerTest, WithMoreAlignedThanNeededThePluginIsAskedAboutThese) {
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(Request(1, kMask0, true)));
  EXPECT_THAT(pick.ids, IsEmpty());
  EXPECT_EQ(pick.question, (PreferredQuestion{.available = {"a0", "b0"}, .must_include = {}, .size = 1}));
  EXPECT_THAT(PickAll(Request(1, kMask0, true), {"b0"}), IsOkAndHolds(ElementsAre("b0")));
}

TEST(DevicePickerTest, WithMoreAlignedThanNeededWhatElseIsPreferredDoesNotCount) {
  EXPECT_THAT(PickAll(Request(1, kMask0, true), {"c1", "e", "nothing-like-it"}), IsOkAndHolds(ElementsAre("a0")));
}

TEST(DevicePickerTest, AllAlignedAreTakenBeforeThePluginIsAskedAboutTheRest) {
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(Request(3, kMask0, true)));
  EXPECT_THAT(pick.ids, ElementsAre("a0", "b0"));
  EXPECT_EQ(pick.question,
            (PreferredQuestion{.available = {"a0", "b0", "c1", "d1", "e"}, .must_include = {"a0", "b0"}, .size = 3}));
  EXPECT_THAT(PickAll(Request(3, kMask0, true), {"e"}), IsOkAndHolds(ElementsAre("a0", "b0", "e")));
}

TEST(DevicePickerTest, AsManyAlignedAsNeededAreTakenWithoutAsking) {
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(Request(2, kMask0, true)));
  EXPECT_THAT(pick.ids, ElementsAre("a0", "b0"));
  EXPECT_EQ(pick.question, std::nullopt);
}

TEST(DevicePickerTest, ReusedDevicesMustBeInThePluginsAnswerAndAreOfferedWithTheRest) {
  PickRequest request = Request(2, std::nullopt, true);
  request.reusable = {"x"};
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(request));
  EXPECT_EQ(pick.question,
            (PreferredQuestion{.available = {"a0", "b0", "c1", "d1", "e", "x"}, .must_include = {"x"}, .size = 2}));
  EXPECT_THAT(PickAll(request, {"d1", "x"}), IsOkAndHolds(ElementsAre("d1", "x")));
  EXPECT_THAT(PickAll(request, {"d1"}), IsOkAndHolds(ElementsAre("d1", "x")));
}

TEST(DevicePickerTest, APluginWithoutPreferencesIsNotAsked) {
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(Request(1, kMask0, false)));
  EXPECT_THAT(pick.ids, ElementsAre("a0"));
  EXPECT_EQ(pick.question, std::nullopt);
}

TEST(DevicePickerTest, AnEmptyOrShortAnswerIsFilledUpInOrder) {
  EXPECT_THAT(PickAll(Request(3, kMask0, true), {}), IsOkAndHolds(ElementsAre("a0", "b0", "c1")));
  EXPECT_THAT(PickAll(Request(4, kMask0, true), {"e", "e"}), IsOkAndHolds(ElementsAre("a0", "b0", "c1", "e")));
}

TEST(DevicePickerTest, OfTooLongAnAnswerTheFirstByIdAreTaken) {
  EXPECT_THAT(PickAll(Request(1, std::nullopt, true), {"e", "d1", "c1"}), IsOkAndHolds(ElementsAre("c1")));
}

TEST(DevicePickerTest, WhatWasTakenDuringTheCallIsNotPicked) {
  EXPECT_THAT(PickAll(Request(1, kMask0, true), {"b0"}, {"b0"}), IsOkAndHolds(ElementsAre("a0")));
  EXPECT_THAT(PickAll(Request(1, kMask0, true), {"b0"}, {"a0", "b0"}), IsOkAndHolds(ElementsAre("c1")));
}

TEST(DevicePickerTest, WhatAppearedDuringTheCallWasNotOfferedButFillsUp) {
  PickRequest request = Request(1, std::nullopt, true);
  request.available = {{"m", {}}, {"n", {}}};
  ASSERT_OK_AND_ASSIGN(const Pick pick, StartPick(request));
  request.available = {{"n", {}}, {"new", {}}};
  EXPECT_THAT(FinishPick(request, pick, {"new"}), IsOkAndHolds(ElementsAre("n")));
  request.available = {{"new", {}}};
  EXPECT_THAT(FinishPick(request, pick, {"m"}), IsOkAndHolds(ElementsAre("new")));
}

TEST(DevicePickerTest, TooFewLeftAfterTheCallIsAnError) {
  EXPECT_THAT(PickAll(Request(3, kMask0, true), {"c1"}, {"c1", "d1", "e"}),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "unexpectedly allocated less resources than required. Requested: 3, Got: 2"));
}

struct SplitCase {
  std::string name;
  bool has_topology;
  std::optional<NumaMask> affinity;
  Ids aligned, unaligned, no_affinity;
};

class AffinitySplitTest : public ::testing::TestWithParam<SplitCase> {};

TEST_P(AffinitySplitTest, PutsEachDeviceIntoOneGroup) {
  const SplitCase& test = GetParam();
  PickRequest request = Request(1, test.affinity);
  request.has_topology = test.has_topology;
  request.available = {{"none", {}}, {"on1", kNode1}, {"on0", kNode0}, {"both", kBothNodes}};
  const AffinityGroups groups = SplitByAffinity(request);
  EXPECT_EQ(groups.aligned, test.aligned);
  EXPECT_EQ(groups.unaligned, test.unaligned);
  EXPECT_EQ(groups.no_affinity, test.no_affinity);
}

const Ids kAll = {"both", "none", "on0", "on1"};

INSTANTIATE_TEST_SUITE_P(
    AllCases, AffinitySplitTest,
    ::testing::Values(SplitCase{"NoDeviceHasTopology", false, kMask0, {}, {}, kAll},
                      SplitCase{"TheHintHasNoNodes", true, std::nullopt, {}, {}, kAll},
                      SplitCase{"OneNode", true, kMask0, {"both", "on0"}, {"on1"}, {"none"}},
                      SplitCase{"TheOtherNode", true, kMask1, {"both", "on1"}, {"on0"}, {"none"}},
                      SplitCase{"BothNodes", true, NumaMask::Of({0, 1}), {"both", "on0", "on1"}, {}, {"none"}},
                      SplitCase{"ANodeWithoutDevices", true, NumaMask::OfOne(2), {}, {"both", "on0", "on1"}, {"none"}}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace kubelet_cm::deviceplugin
