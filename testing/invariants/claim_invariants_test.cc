#include "testing/invariants/claim_invariants.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/scenarios/still_node.h"

namespace kubelet_cm::invariants {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kStateFile[] = "/var/lib/kubelet/dra_manager_state";

class ClaimInvariantsTest : public testing::Test {
 protected:
  ClaimInvariantsTest() {
    Pod pod{.uid = "a", .namespace_name = "default", .name = "a", .containers = {{.name = "main"}}};
    pod.claims.push_back({.name = "claim", .object_name = "claim"});
    oracle_.BeginAdmit(pod);
    oracle_.EndAdmit("a", true, {});
  }
  void Call(const std::string& method) { node_.driver_calls["gpu"].push_back({.method = method, .ids = {"uid"}}); }
  void PrepareIt() {
    Call("NodePrepareResources");
    node_.prepared["gpu"] = {"uid"};
    EXPECT_THAT(Broken(), IsEmpty());
    oracle_.EndPrepare("a", true);
    rules_.Prepared("a", uids_);
    EXPECT_THAT(Broken(), IsEmpty());
  }
  std::vector<std::string> Broken() { return NamesOf(rules_.Check({"gpu"}, uids_)); }
  static std::vector<std::string> NamesOf(const std::vector<Violation>& broken) {
    std::vector<std::string> names;
    for (const Violation& violation : broken) names.push_back(violation.invariant);
    return names;
  }

  const std::map<std::string, std::string> uids_ = {{"claim", "uid"}};
  scenarios::StillNode node_;
  Oracle oracle_;
  ClaimInvariants rules_{node_, oracle_};
};

TEST_F(ClaimInvariantsTest, WhatIsStillPreparedWhenEverybodyIsGoneBreaksC1) {
  EXPECT_THAT(rules_.CheckAllGone({"gpu"}, {}), IsEmpty());
  node_.prepared["gpu"] = {"uid"};
  EXPECT_THAT(NamesOf(rules_.CheckAllGone({"gpu"}, {})), ElementsAre("C1"));
}

TEST_F(ClaimInvariantsTest, WhatAChangedFileExcusesIsExcusedUntilTheNextBoot) {
  PrepareIt();
  rules_.FileChanged();
  EXPECT_THAT(rules_.Restarted("latest"), IsEmpty());
  EXPECT_THAT(rules_.CheckAllGone({"gpu"}, {}), IsEmpty());
  rules_.Booted();
  EXPECT_THAT(NamesOf(rules_.CheckAllGone({"gpu"}, {})), ElementsAre("C1"));
}

TEST_F(ClaimInvariantsTest, AClaimThatTheKubeletKeepsBreaksC1) {
  Sight seen;
  seen.claims["claim"] = {.uid = "uid"};
  EXPECT_THAT(NamesOf(rules_.CheckAllGone({"gpu"}, seen)), ElementsAre("C1"));
}

TEST_F(ClaimInvariantsTest, AnUnprepareWhileAPodMayRunBreaksC2) {
  PrepareIt();
  Call("NodeUnprepareResources");
  EXPECT_THAT(Broken(), ElementsAre("C2"));
}

TEST_F(ClaimInvariantsTest, AnUnprepareOnAPodsWayOutIsFine) {
  PrepareIt();
  oracle_.BeginRemove("a");
  Call("NodeUnprepareResources");
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(ClaimInvariantsTest, ASecondPrepareBreaksC3) {
  PrepareIt();
  Call("NodePrepareResources");
  EXPECT_THAT(Broken(), ElementsAre("C3"));
}

TEST_F(ClaimInvariantsTest, APrepareIsRepeatedWhereNobodyWasAnswered) {
  Call("NodePrepareResources");
  Call("NodePrepareResources");
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(ClaimInvariantsTest, AKubeletPreparesAgainAfterARestartAndWeDoNot) {
  for (const std::string version : {"1.36", "latest"}) {
    EXPECT_THAT(rules_.Restarted(version), IsEmpty());
    PrepareIt();
    EXPECT_THAT(rules_.Restarted(version), IsEmpty());
    Call("NodePrepareResources");
    EXPECT_THAT(Broken().empty(), version == "1.36") << version;
    Call("NodeUnprepareResources");
    oracle_.BeginRemove("a");
    EXPECT_THAT(Broken(), IsEmpty());
  }
}

TEST_F(ClaimInvariantsTest, WePrepareAgainWhatAKubeletPrepared) {
  EXPECT_THAT(rules_.Restarted("1.36"), IsEmpty());
  PrepareIt();
  EXPECT_THAT(rules_.Restarted("latest"), IsEmpty());
  Call("NodePrepareResources");
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(ClaimInvariantsTest, AfterABootItIsPreparedAgain) {
  PrepareIt();
  rules_.Booted();
  EXPECT_THAT(rules_.Restarted("latest"), IsEmpty());
  Call("NodePrepareResources");
  EXPECT_THAT(Broken(), IsEmpty());
}

TEST_F(ClaimInvariantsTest, ABootMayChangeAStateFile) {
  node_.files[kStateFile] = "before";
  rules_.WillBeKilled("latest");
  rules_.Booted();
  node_.files[kStateFile] = "after";
  EXPECT_THAT(rules_.Restarted("latest"), IsEmpty());
}

TEST_F(ClaimInvariantsTest, ARestartThatChangesAStateFileBreaksC4) {
  node_.files[kStateFile] = "before";
  rules_.WillBeKilled("latest");
  node_.files[kStateFile] = "after";
  EXPECT_THAT(NamesOf(rules_.Restarted("latest")), ElementsAre("C4"));
}

TEST_F(ClaimInvariantsTest, AnUpgradeMayChangeAStateFile) {
  node_.files[kStateFile] = "before";
  rules_.WillBeKilled("1.36");
  node_.files[kStateFile] = "after";
  EXPECT_THAT(rules_.Restarted("latest"), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::invariants
