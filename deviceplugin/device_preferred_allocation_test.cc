// GetPreferredAllocation as the manager calls it: what the plugin is offered, and how much its answer counts for.
#include "common/status/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/device_node.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginAct;
using fakes::PluginCall;
using fakes::PluginMethod;
using harness::DeviceNode;
using harness::PodWith;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;
using Ids = std::vector<std::string>;

constexpr char kResource[] = "example.com/device";
constexpr PluginMethod kPrefer = PluginMethod::kGetPreferredAllocation;

class DevicePreferredAllocationTest : public testing::Test {
 protected:
  DevicePreferredAllocationTest() { EXPECT_OK(node_.Start()); }

  // A plugin that wants to be asked and prefers these ids.
  void Run(int devices, Ids preferred, int numa_nodes = 0) {
    fakes::ScriptedPlugin::Options options{
        .devices = NumberedDevices("dev-", devices, numa_nodes),
        .prefer = [preferred = std::move(preferred)](const PluginCall&) { return preferred; }};
    options.options.set_get_preferred_allocation_available(true);
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", std::move(options)));
  }
  // Admits the pod "one" and lets `meanwhile` happen while the plugin thinks about what it prefers.
  absl::Status AdmitWhile(const Pod& pod, absl::FunctionRef<void()> meanwhile) {
    script().At(kPrefer, 1, {.held = true});
    absl::Status admitted;
    {
      const auto admission = node_.threads.Start("admission", [&] { admitted = node_.Admit(pod); });
      EXPECT_OK(script().WaitForCall(kPrefer, 1));
      meanwhile();
      script().Release(kPrefer, 1);
    }
    return admitted;
  }
  static Pod WithInitContainer(Pod pod) {
    pod.containers.insert(pod.containers.begin(),
                          Container{.name = "init", .kind = ContainerKind::kInit, .limits = {{kResource, 1}}});
    return pod;
  }
  int64_t Taken() {
    MutexLock lock(&node_.manager().state().mu);
    return node_.manager().state().ledger.TakenCount(kResource);
  }
  fakes::PluginScript& script() { return node_.plugin("a.sock").script(); }

  DeviceNode node_;
};

TEST_F(DevicePreferredAllocationTest, ThePluginIsOfferedAllThatIsFreeAndGetsWhatItPrefers) {
  Run(4, {"dev-3", "dev-1"});
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 2}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1", "dev-3"));
  ASSERT_OK_AND_ASSIGN(const PluginCall question, script().WaitForCall(kPrefer, 1));
  EXPECT_EQ(question, (PluginCall{.method = kPrefer, .ids = {"dev-0", "dev-1", "dev-2", "dev-3"}, .size = 2}));
  ASSERT_OK_AND_ASSIGN(const PluginCall allocate, script().WaitForCall(PluginMethod::kAllocate, 1));
  EXPECT_THAT(allocate.ids, ElementsAre("dev-1", "dev-3"));
}

TEST_F(DevicePreferredAllocationTest, IdsThatNobodyOfferedAreNotTaken) {
  Run(3, {"dev-2", "dev-7", "somebody's"});
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 2}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0", "dev-2"));
}

TEST_F(DevicePreferredAllocationTest, NoMoreAreTakenThanAskedFor) {
  Run(4, {"dev-3", "dev-2", "dev-1"});
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), SizeIs(1));
  EXPECT_EQ(Taken(), 1);
}

TEST_F(DevicePreferredAllocationTest, AnEmptyAnswerIsNoPreference) {
  Run(3, {});
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
}

TEST_F(DevicePreferredAllocationTest, WhatThePodCanUseAgainIsNoQuestion) {
  Run(2, {"dev-1"});
  ASSERT_OK(node_.Admit(WithInitContainer(PodWith("one", {{kResource, 1}}))));
  EXPECT_EQ(script().CallCount(kPrefer), 1);
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1"));
}

TEST_F(DevicePreferredAllocationTest, OnlyDevicesOnTheRightNodesAreOfferedWhenThereAreEnough) {
  Run(4, {"dev-0"}, 2);
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK_AND_ASSIGN(const auto allocation, node_.manager().BeginAllocation(pod));
  ASSERT_OK(allocation->Allocate(pod.containers[0], NumaMask::Of({1})));
  ASSERT_OK(allocation->Commit());
  ASSERT_OK_AND_ASSIGN(const PluginCall question, script().WaitForCall(kPrefer, 1));
  EXPECT_THAT(question.ids, ElementsAre("dev-1", "dev-3"));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1"));
}

TEST_F(DevicePreferredAllocationTest, APluginThatDoesNotOfferItIsNotAsked) {
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4)}));
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_EQ(script().CallCount(kPrefer), 0);
}

TEST_F(DevicePreferredAllocationTest, WhatThePodCanUseAgainMustBeIncluded) {
  Run(4, {"dev-0", "dev-3"});
  ASSERT_OK(node_.Admit(WithInitContainer(PodWith("one", {{kResource, 2}}))));
  ASSERT_OK_AND_ASSIGN(const PluginCall question, script().WaitForCall(kPrefer, 2));
  EXPECT_THAT(question.must_include, ElementsAre("dev-0"));
  EXPECT_THAT(question.ids, ElementsAre("dev-0", "dev-1", "dev-2", "dev-3"));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0", "dev-3"));
}

// Upstream gives the lock away for the call and then takes what it had found free before.
TEST_F(DevicePreferredAllocationTest, WhatAnotherPodGotMeanwhileIsNotTaken) {
  Run(2, {"dev-0"});
  ASSERT_OK(AdmitWhile(PodWith("one", {{kResource, 1}}), [&] {
    EXPECT_OK(node_.Admit(PodWith("two", {{kResource, 1}})));
  }));
  EXPECT_THAT(node_.Devices("two", kResource), ElementsAre("dev-0"));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1"));
}

TEST_F(DevicePreferredAllocationTest, WhatTurnedUnhealthyMeanwhileIsNotTaken) {
  Run(2, {"dev-0"});
  ASSERT_OK(AdmitWhile(PodWith("one", {{kResource, 1}}), [&] {
    EXPECT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
    EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  }));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-1"));
}

TEST_F(DevicePreferredAllocationTest, WhenTooFewAreLeftMeanwhileThePodIsRefusedWithUpstreamsText) {
  Run(2, {"dev-0"});
  EXPECT_THAT(AdmitWhile(PodWith("one", {{kResource, 1}}),
                         [&] {
                           EXPECT_OK(node_.Admit(PodWith("two", {{kResource, 2}})));
                         }),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "unexpectedly allocated less resources than required. Requested: 1, Got: 0"));
  EXPECT_EQ(Taken(), 2);
}

// k/k#119560, #131688: upstream's set of allocated devices was gone after the call.
TEST_F(DevicePreferredAllocationTest, ACollectionMeanwhileFreesNothingThatIsReserved) {
  Run(3, {"dev-2"});
  ASSERT_OK(node_.Admit(PodWith("gone", {{kResource, 1}})));
  script().At(kPrefer, 2, {.held = true});
  absl::Status admitted;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      admitted = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(kPrefer, 2));
    node_.Remove("gone");
    node_.manager().CollectLeftovers();
    script().Release(kPrefer, 2);
  }
  ASSERT_OK(admitted);
  EXPECT_EQ(Taken(), 1);
}

TEST_F(DevicePreferredAllocationTest, AnErrorOfThePluginFailsTheAdmissionWithUpstreamsText) {
  Run(2, {});
  script().Always(kPrefer, {.act = PluginAct::kFail, .error = absl::UnknownError("no")});
  EXPECT_THAT(
      node_.Admit(PodWith("one", {{kResource, 1}})),
      StatusIs(absl::StatusCode::kUnknown,
               "device plugin GetPreferredAllocation rpc failed with err: rpc error: code = Unknown desc = no"));
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 0);
}

TEST_F(DevicePreferredAllocationTest, APluginThatDoesNotAnswerTimesOutWithItsName) {
  Run(2, {});
  script().Always(kPrefer, {.held = true});
  absl::Status hung;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      hung = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(kPrefer, 1));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(31));
  }
  EXPECT_THAT(hung, StatusIs(absl::StatusCode::kDeadlineExceeded,
                             AllOf(StartsWith("device plugin GetPreferredAllocation rpc failed with err: "),
                                   HasSubstr(kResource), HasSubstr("a.sock"))));
  EXPECT_EQ(Taken(), 0);
}

TEST_F(DevicePreferredAllocationTest, TheAnswerTimeCanBeSet) {
  node_.Kill();
  ASSERT_OK(node_.Start("latest", {}, {.timeouts = {.preferred_allocation = absl::Seconds(2)}}));
  Run(2, {});
  script().Always(kPrefer, {.held = true});
  absl::Status hung;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      hung = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(kPrefer, 1));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(2));
  }
  EXPECT_THAT(hung, StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("not answered within 2s")));
}

TEST_F(DevicePreferredAllocationTest, APluginThatDiesWhileItIsAskedFailsTheAdmission) {
  Run(2, {});
  script().Always(kPrefer, {.act = PluginAct::kDie});
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}})).ok());
  EXPECT_EQ(Taken(), 0);
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
