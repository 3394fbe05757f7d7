#include "deviceplugin/pod_allocation.h"

#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/filesystem/file_functions.h"
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

constexpr char kResource[] = "example.com/device";
constexpr char kOther[] = "example.com/other";

class PodAllocationTest : public testing::Test {
 protected:
  PodAllocationTest() {
    EXPECT_OK(node_.Start());
    EXPECT_OK(node_.RunPlugin(kResource, "a.sock", {.devices = NumberedDevices("dev-", 4)}));
  }

  // Of the allocated devices of all pods.
  int64_t Taken(const std::string& resource = kResource) {
    MutexLock lock(&node_.manager().state().mu);
    return node_.manager().state().ledger.TakenCount(resource);
  }
  size_t Reservations() {
    MutexLock lock(&node_.manager().state().mu);
    return node_.manager().state().ledger.reservation_count();
  }
  fakes::PluginScript& script() { return node_.plugin("a.sock").script(); }

  DeviceNode node_;
};

TEST_F(PodAllocationTest, APodGetsTheFirstDevicesInTheOrderOfTheirIds) {
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 2}})));
  ASSERT_OK(node_.Admit(PodWith("two", {{kResource, 1}})));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0", "dev-1"));
  EXPECT_THAT(node_.Devices("two", kResource), ElementsAre("dev-2"));
}

TEST_F(PodAllocationTest, ThePluginIsAskedOnceForAContainerAndAResource) {
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 2}, {"cpu", 1}})));
  ASSERT_OK_AND_ASSIGN(const PluginCall call, script().WaitForCall(PluginMethod::kAllocate, 1));
  EXPECT_THAT(call.ids, ElementsAre("dev-0", "dev-1"));
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PodAllocationTest, AResourceThatNoPluginEverHadIsNoneOfItsBusiness) {
  EXPECT_OK(node_.Admit(PodWith("one", {{"example.com/unknown", 3}, {"memory", 1 << 20}})));
  EXPECT_EQ(Taken(), 0);
}

// D2. Upstream admits the pod without devices, and gives it some when its container starts.
TEST_F(PodAllocationTest, AResourceWhosePluginHasListedNothingYetIsRefused) {
  node_.AddPlugin("b.sock").script().At(PluginMethod::kListAndWatch, 1, {.held = true});
  ASSERT_OK(node_.Register(kOther, "b.sock"));
  EXPECT_THAT(node_.Admit(PodWith("one", {{kOther, 1}})),
              StatusIs(absl::StatusCode::kUnavailable,
                       "no healthy devices present; cannot allocate unhealthy devices example.com/other"));
}

TEST_F(PodAllocationTest, TooFewDevicesAreRefusedWithUpstreamsText) {
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 3}})));
  EXPECT_THAT(node_.Admit(PodWith("two", {{kResource, 2}})),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       "requested number of devices unavailable for example.com/device. Requested: 2, Available: 1"));
  EXPECT_EQ(Taken(), 3);
}

TEST_F(PodAllocationTest, APodThatIsAdmittedAgainKeepsItsDevicesWithoutAskingThePlugin) {
  const Pod pod = PodWith("one", {{kResource, 2}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0", "dev-1"));
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 1);
}

TEST_F(PodAllocationTest, ARequestThatChangedIsRefused) {
  ASSERT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
  EXPECT_THAT(node_.Admit(PodWith("one", {{kResource, 2}})).message(),
              R"(pod "one" container "main" changed request for resource "example.com/device" from 1 to 2)");
}

TEST_F(PodAllocationTest, APluginThatFailsLeavesNothingBehind) {
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kFail, .error = absl::UnknownError("no")});
  EXPECT_THAT(node_.Admit(PodWith("one", {{kResource, 1}})).message(), "rpc error: code = Unknown desc = no");
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(Reservations(), 0u);
}

TEST_F(PodAllocationTest, AnAnswerWithoutContainersIsRefusedAndLeavesNothingBehind) {
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kNoContainers});
  EXPECT_THAT(node_.Admit(PodWith("one", {{kResource, 1}})).message(),
              "no containers return in allocation response "
              "&AllocateResponse{ContainerResponses:[]*ContainerAllocateResponse{},}");
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(Reservations(), 0u);
}

TEST_F(PodAllocationTest, OfAnAnswerAboutSeveralContainersTheFirstCounts) {
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kExtraContainer});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const auto options, node_.manager().ContainerRunOptions(pod, pod.containers[0]));
  EXPECT_THAT(options->envs, ElementsAre(testing::Pair("FAKE_DEVICES", "dev-0")));
}

TEST_F(PodAllocationTest, AFailureIsTimedAsWell) {
  script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kFail});
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}})).ok());
  EXPECT_THAT(node_.metrics().Text(), HasSubstr("kubelet_device_plugin_alloc_duration_seconds_count{"
                                                "resource_name=\"example.com/device\"} 1"));
}

TEST_F(PodAllocationTest, AFailureOfTheSecondContainerReleasesTheFirst) {
  script().At(PluginMethod::kAllocate, 2, {.act = PluginAct::kFail});
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.push_back({.name = "second", .limits = {{kResource, 1}}});
  EXPECT_FALSE(node_.Admit(pod).ok());
  EXPECT_EQ(Taken(), 0);
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
}

TEST_F(PodAllocationTest, AFailureOfTheSecondResourceReleasesTheFirst) {
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("x-", 1)}));
  node_.plugin("b.sock").script().Always(PluginMethod::kAllocate, {.act = PluginAct::kFail});
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}, {kOther, 1}})).ok());
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(Taken(kOther), 0);
}

// Upstream follows a null pointer here.
TEST_F(PodAllocationTest, ADeviceThatVanishesWhileThePluginAnswersFailsTheAdmission) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  absl::Status admitted;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      admitted = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    node_.plugin("a.sock").feed().Publish(NumberedDevices("new-", 2));
    EXPECT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
    script().Release(PluginMethod::kAllocate, 1);
  }
  EXPECT_THAT(admitted.message(),
              "devices [dev-0] turned unhealthy or vanished while they were being allocated; "
              "cannot allocate unhealthy devices example.com/device");
  EXPECT_EQ(Taken(), 0);
}

TEST_F(PodAllocationTest, APluginThatGoesWhileItIsAskedFailsTheAdmission) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  absl::Status admitted;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      admitted = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    node_.plugin("a.sock").feed().EndAll(absl::UnavailableError("gone"));
    EXPECT_TRUE(node_.AwaitCapacity(kResource, 4, 0));
    script().Release(PluginMethod::kAllocate, 1);
  }
  EXPECT_FALSE(admitted.ok());
  EXPECT_EQ(Taken(), 0);
}

TEST_F(PodAllocationTest, APluginThatRegistersAgainWhileItIsAskedIsAskedAgain) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  {
    const auto admission = node_.threads.Start("admission", [&] {
      EXPECT_OK(node_.Admit(PodWith("one", {{kResource, 1}})));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    ASSERT_OK(node_.Register(kResource, "a.sock"));
  }
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 2);
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
}

TEST_F(PodAllocationTest, APluginThatRegistersOverAndOverFailsTheAdmissionAfterTheSecondTime) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  script().At(PluginMethod::kAllocate, 2, {.held = true});
  {
    const auto admission = node_.threads.Start("admission", [&] {
      EXPECT_THAT(node_.Admit(PodWith("one", {{kResource, 1}})),
                  StatusIs(absl::StatusCode::kUnavailable, "endpoint example.com/device has been stopped"));
    });
    for (const int call : {1, 2}) {
      ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, call));
      ASSERT_OK(node_.Register(kResource, "a.sock"));
    }
  }
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(Reservations(), 0u);
}

TEST_F(PodAllocationTest, WhatAPluginIsBeingAskedForNobodyElseGets) {  // k/k#137534
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  absl::Status first;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      first = node_.Admit(PodWith("one", {{kResource, 3}}));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    node_.pods.Remove("nobody");
    node_.manager().CollectLeftovers();
    EXPECT_THAT(node_.Admit(PodWith("two", {{kResource, 2}})), StatusIs(absl::StatusCode::kResourceExhausted));
    EXPECT_OK(node_.Admit(PodWith("three", {{kResource, 1}})));
    script().Release(PluginMethod::kAllocate, 1);
  }
  ASSERT_OK(first);
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0", "dev-1", "dev-2"));
  EXPECT_THAT(node_.Devices("three", kResource), ElementsAre("dev-3"));
}

TEST_F(PodAllocationTest, APluginThatHangsTimesOutWithItsNameAndBlocksNobodyElse) {
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("x-", 1)}));
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  absl::Status hung;
  {
    const auto admission = node_.threads.Start("admission", [&] {
      hung = node_.Admit(PodWith("one", {{kResource, 1}}));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    EXPECT_OK(node_.Admit(PodWith("two", {{kOther, 1}})));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(61));
  }
  EXPECT_THAT(hung, StatusIs(absl::StatusCode::kDeadlineExceeded, AllOf(HasSubstr(kResource), HasSubstr("a.sock"))));
  EXPECT_EQ(Taken(), 0);
}

TEST_F(PodAllocationTest, TheAnswerTimeCanBeSet) {
  node_.Kill();
  ASSERT_OK(node_.Start("latest", {}, {.timeouts = {.allocate = absl::Seconds(2)}}));
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("x-", 1)}));
  node_.plugin("b.sock").script().At(PluginMethod::kAllocate, 1, {.held = true});
  absl::Status hung;
  {
    const auto admission = node_.threads.Start("admission", [&] { hung = node_.Admit(PodWith("one", {{kOther, 1}})); });
    ASSERT_OK(node_.plugin("b.sock").script().WaitForCall(PluginMethod::kAllocate, 1));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(2));
  }
  EXPECT_THAT(hung, StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("not answered within 2s")));
}

// D7: when its departure was looked at, it held nothing yet.
TEST_F(PodAllocationTest, WhatAPodGotThatHadDepartedMeanwhileIsFreeForTheNext) {
  script().At(PluginMethod::kAllocate, 1, {.held = true});
  {
    const auto admission = node_.threads.Start("admission", [&] {
      EXPECT_OK(node_.Admit(PodWith("one", {{kResource, 4}})));
    });
    ASSERT_OK(script().WaitForCall(PluginMethod::kAllocate, 1));
    node_.Remove("one");
    EXPECT_THAT(node_.Admit(PodWith("two", {{kResource, 1}})), StatusIs(absl::StatusCode::kResourceExhausted));
    script().Release(PluginMethod::kAllocate, 1);
  }
  EXPECT_OK(node_.Admit(PodWith("three", {{kResource, 4}})));
}

TEST_F(PodAllocationTest, APodHasOneAllocationAtATime) {
  const Pod pod = PodWith("one", {{kResource, 1}});
  node_.pods.Add("one");
  ASSERT_OK_AND_ASSIGN(const auto first, node_.manager().BeginAllocation(pod));
  EXPECT_THAT(node_.manager().BeginAllocation(pod), StatusIs(absl::StatusCode::kAborted));
}

TEST_F(PodAllocationTest, AnAllocationThatIsNotCommittedIsReleased) {
  const Pod pod = PodWith("one", {{kResource, 1}});
  {
    ASSERT_OK_AND_ASSIGN(const auto allocation, node_.manager().BeginAllocation(pod));
    ASSERT_OK(allocation->Allocate(pod.containers[0], std::nullopt));
    EXPECT_EQ(Taken(), 1);
  }
  EXPECT_EQ(Taken(), 0);
  EXPECT_EQ(Reservations(), 0u);
}

TEST_F(PodAllocationTest, ADiskThatFailsFailsTheAdmissionAndTheDevicesAreFree) {
  node_.faults.Arm({.persistent = true, .error = ENOSPC});
  EXPECT_THAT(node_.Admit(PodWith("one", {{kResource, 1}})).message(),
              HasSubstr("failed to write checkpoint file \"kubelet_internal_checkpoint\": "));
  EXPECT_EQ(Taken(), 0);
  node_.faults.DisarmAll();
  EXPECT_OK(node_.Admit(PodWith("two", {{kResource, 4}})));
}

TEST_F(PodAllocationTest, AnEntryThatReachedTheDiskThoughItsWriteFailedIsTakenBackThereToo) {
  ASSERT_OK(node_.manager().Flush());
  node_.faults.Arm({.ops = {FileOp::kSyncFolder}, .error = EIO});
  EXPECT_FALSE(node_.Admit(PodWith("one", {{kResource, 1}})).ok());
  ASSERT_TRUE(node_.Await([&] {
    return ReadFile(node_.disk, DeviceNode::kStateFile, 1 << 20)->find("\"PodUID\":\"one\"") == std::string::npos;
  }));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(node_.Devices("one", kResource), IsEmpty());
}

TEST_F(PodAllocationTest, AnAnswerThatIsTooLargeFailsTheAdmissionAndLeavesNothingBehind) {
  const auto large = [](absl::Span<const std::string>) {
    v1beta1::ContainerAllocateResponse answer;
    (*answer.mutable_envs())["LARGE"] = std::string(16 << 20, 'x');
    return answer;
  };
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("x-", 1), .allocate = large}));
  EXPECT_THAT(node_.Admit(PodWith("one", {{kOther, 1}})), StatusIs(absl::StatusCode::kResourceExhausted));
  EXPECT_EQ(Taken(kOther), 0);
  EXPECT_EQ(Reservations(), 0u);
}

TEST_F(PodAllocationTest, AllContainersOfAPodAreOneWrite) {
  ASSERT_OK(node_.manager().Flush());
  const uint64_t before = node_.manager().writes().writes;
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.containers.push_back({.name = "second", .limits = {{kResource, 1}}});
  ASSERT_OK(node_.Admit(pod));
  EXPECT_EQ(node_.manager().writes().writes, before + 1);
}

TEST_F(PodAllocationTest, WhatAClaimBacksIsNotAskedOfThePlugin) {
  Pod pod = PodWith("one", {{kResource, 1}});
  pod.extended_resource_claim = ExtendedResourceClaim{.object_name = "c", .mappings = {{"main", kResource, "r"}}};
  ASSERT_OK(node_.Admit(pod));
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 0);
}

v1beta1::ContainerAllocateResponse WithManyEnvs(absl::Span<const std::string>) {
  v1beta1::ContainerAllocateResponse answer;
  for (int number = 0; number < 20; ++number) (*answer.mutable_envs())["ENV_" + std::to_string(number)] = "x";
  return answer;
}

TEST_F(PodAllocationTest, EqualAnswersHaveEqualBytesInTheStateFile) {
  ASSERT_OK(node_.RunPlugin(kOther, "b.sock", {.devices = NumberedDevices("x-", 8), .allocate = WithManyEnvs}));
  std::set<std::string> bytes;
  for (const char* pod : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    ASSERT_OK(node_.Admit(PodWith(pod, {{kOther, 1}})));
    MutexLock lock(&node_.manager().state().mu);
    bytes.insert(*node_.manager().state().ledger.Find({pod, "main", kOther})->alloc_response);
  }
  EXPECT_THAT(bytes, testing::SizeIs(1));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
