#include "deviceplugin/allocation/reusable_devices.h"

#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kGpu[] = "a.com/gpu";
using Ids = std::vector<std::string>;

class ReusableDevicesTest : public ::testing::Test {
 protected:
  // As an admission does it.
  void Hold(const std::string& container, const Ids& ids, const std::string& pod = "p") {
    const auto reservation = ledger_.Reserve({pod, container, kGpu}, ids);
    ASSERT_OK(reservation);
    ASSERT_OK(ledger_.Commit(*reservation, {{kNoNumaNode, ids}}, ""));
  }
  Ids ReusableFor(const std::string& container) const { return ReusableDevices(pod_, ledger_, kGpu, container); }

  const Pod pod_{.uid = "p",
                 .namespace_name = "n",
                 .name = "p",
                 .containers = {{.name = "init1", .kind = ContainerKind::kInit},
                                {.name = "sidecar", .kind = ContainerKind::kSidecar},
                                {.name = "init2", .kind = ContainerKind::kInit},
                                {.name = "app1"},
                                {.name = "app2"}}};
  DeviceLedger ledger_;
};

TEST_F(ReusableDevicesTest, AnInitContainersDevicesAreOfferedToLaterContainers) {
  Hold("init1", {"b", "a"});
  EXPECT_THAT(ReusableFor("sidecar"), ElementsAre("a", "b"));
  EXPECT_THAT(ReusableFor("init2"), ElementsAre("a", "b"));
  EXPECT_THAT(ReusableFor("app2"), ElementsAre("a", "b"));
}

TEST_F(ReusableDevicesTest, DevicesOfSeveralInitContainersAddUp) {
  Hold("init1", {"a"});
  Hold("init2", {"a", "b"});
  EXPECT_THAT(ReusableFor("app1"), ElementsAre("a", "b"));
}

TEST_F(ReusableDevicesTest, AnInitContainersDevicesAreNotOfferedToItselfOrEarlierOnes) {
  Hold("init2", {"a"});
  EXPECT_THAT(ReusableFor("init2"), IsEmpty());
  EXPECT_THAT(ReusableFor("init1"), IsEmpty());
}

TEST_F(ReusableDevicesTest, WhatASidecarTookOverIsNotReusedAnyMore) {  // kubernetes 1.29
  Hold("init1", {"a", "b"});
  Hold("sidecar", {"a"});
  EXPECT_THAT(ReusableFor("init2"), ElementsAre("b"));
  EXPECT_THAT(ReusableFor("app1"), ElementsAre("b"));
}

TEST_F(ReusableDevicesTest, ASidecarsOwnDevicesAreNotReused) {
  Hold("sidecar", {"a"});
  EXPECT_THAT(ReusableFor("app1"), IsEmpty());
}

TEST_F(ReusableDevicesTest, WhatAnAppContainerTookOverIsNotReusedAnyMore) {
  Hold("init1", {"a", "b"});
  Hold("app1", {"b"});
  EXPECT_THAT(ReusableFor("app2"), ElementsAre("a"));
}

TEST_F(ReusableDevicesTest, WhatALaterAppContainerTookOverIsNotTakenFromIt) {
  Hold("init1", {"a"});
  Hold("app2", {"a"});
  EXPECT_THAT(ReusableFor("app1"), IsEmpty());
}

TEST_F(ReusableDevicesTest, ReservationsCountAsHeld) {
  Hold("init1", {"a", "b"});
  ASSERT_OK(ledger_.Reserve({"p", "app1", kGpu}, Ids{"a"}));
  EXPECT_THAT(ReusableFor("app2"), ElementsAre("b"));
}

TEST_F(ReusableDevicesTest, AdmittingAnotherPodInBetweenForgetsNothing) {
  Hold("init1", {"a"});
  Hold("init1", {"x"}, "other-pod");
  EXPECT_THAT(ReusableFor("app1"), ElementsAre("a"));
}

TEST_F(ReusableDevicesTest, AnUnknownContainerReusesNothing) {
  Hold("init1", {"a"});
  EXPECT_THAT(ReusableFor("ephemeral"), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
