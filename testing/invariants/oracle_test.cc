#include "testing/invariants/oracle.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::invariants {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kResource[] = "example.com/device";

Pod PodOf(const std::string& uid) {
  return {.uid = uid,
          .namespace_name = "default",
          .name = uid,
          .containers = {{.name = "main", .limits = {{kResource, 1}}}}};
}

Sight Holding(const std::string& uid, std::set<std::string> ids) {
  Sight sight;
  sight.holdings[{uid, "main", kResource}] = std::move(ids);
  sight.pods[uid] = "admitted";
  return sight;
}

TEST(OracleTest, APodThatWasAnsweredHoldsWhatWasSeenThen) {
  Oracle oracle;
  oracle.Knows(kResource);
  oracle.BeginAdmit(PodOf("a"));
  EXPECT_THAT(oracle.EndAdmit("a", true, Holding("a", {"dev-0"})), IsEmpty());
  EXPECT_EQ(oracle.pods().at("a").holds.size(), 1u);
}

TEST(OracleTest, APodThatIsAdmittedWithoutItsDevicesBreaksD2) {
  Oracle oracle;
  oracle.Knows(kResource);
  oracle.BeginAdmit(PodOf("a"));
  const std::vector<Violation> broken = oracle.EndAdmit("a", true, {});
  ASSERT_THAT(broken, SizeIs(1));
  EXPECT_EQ(broken[0].invariant, "D2");
}

TEST(OracleTest, NobodyLooksForDevicesOfAResourceThatIsNotKnown) {
  Oracle oracle;
  oracle.BeginAdmit(PodOf("a"));
  EXPECT_THAT(oracle.EndAdmit("a", true, {}), IsEmpty());
}

TEST(OracleTest, WhoWasAdmittedBeforeTheResourceWasKnownIsToldTheSameAgainByThisKubeletOnly) {
  Oracle oracle;
  oracle.BeginAdmit(PodOf("a"));
  oracle.EndAdmit("a", true, {});
  oracle.Knows(kResource);
  oracle.BeginAdmit(PodOf("a"));
  EXPECT_THAT(oracle.EndAdmit("a", true, {}), IsEmpty());
  oracle.Restarted({});
  oracle.BeginAdmit(PodOf("a"));
  EXPECT_THAT(oracle.EndAdmit("a", true, {}), SizeIs(1));
}

TEST(OracleTest, ARefusedPodIsNotThere) {
  Oracle oracle;
  oracle.BeginAdmit(PodOf("a"));
  EXPECT_THAT(oracle.EndAdmit("a", false, {}), IsEmpty());
  EXPECT_THAT(oracle.pods(), IsEmpty());
}

TEST(OracleTest, WhatWasRefusedWhileTheDiskFailedMayComeBackWithTheNextKubeletOnly) {
  for (const bool comes_back : {false, true}) {
    Oracle oracle;
    oracle.BeginAdmit(PodOf("a"));
    EXPECT_THAT(oracle.EndAdmit("a", false, {}), IsEmpty());
    oracle.MayComeBack("a");
    EXPECT_THAT(oracle.pods(), IsEmpty());
    oracle.Restarted(comes_back ? Holding("a", {"dev-0"}) : Sight());
    EXPECT_EQ(oracle.pods().contains("a"), comes_back);
    oracle.EndRemove("a", true);
    oracle.Restarted(Holding("a", {"dev-0"}));
    EXPECT_THAT(oracle.pods(), IsEmpty());
  }
}

TEST(OracleTest, AResourceThatTheDiskDidNotTakeIsNotKnownToTheNextKubelet) {
  Oracle oracle;
  oracle.Knows(kResource);
  oracle.Knows("example.com/other");
  Sight seen;
  seen.resources[kResource] = {};
  oracle.KnowsNoMoreThan(seen);
  EXPECT_THAT(oracle.resources(), ElementsAre(kResource));
}

TEST(OracleTest, WhatWasLostIsAsTheNextKubeletHasIt) {
  for (const bool restored : {false, true}) {
    Oracle oracle;
    oracle.BeginAdmit(PodOf("a"));
    oracle.Lost("a");
    oracle.Restarted(restored ? Holding("a", {"dev-0"}) : Sight());
    EXPECT_EQ(oracle.pods().contains("a"), restored);
  }
}

TEST(OracleTest, WhatWasAnsweredBeforeTheLossStays) {
  Oracle oracle;
  oracle.BeginAdmit(PodOf("a"));
  oracle.EndAdmit("a", true, Holding("a", {"dev-0"}));
  oracle.Lost("a");
  oracle.Restarted({});
  EXPECT_TRUE(oracle.pods().at("a").admitted);
}

TEST(OracleTest, APodOnItsWayOutMayBeGone) {
  Oracle oracle;
  oracle.BeginAdmit(PodOf("a"));
  oracle.EndAdmit("a", true, Holding("a", {"dev-0"}));
  oracle.BeginRemove("a");
  oracle.Lost("a");
  oracle.Restarted({});
  EXPECT_THAT(oracle.pods(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::invariants
