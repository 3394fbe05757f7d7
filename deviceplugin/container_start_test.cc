#include "deviceplugin/container_start.h"

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
using testing::ElementsAre;
using testing::Key;
using testing::Pair;

constexpr char kResource[] = "example.com/device";

v1beta1::ContainerAllocateResponse WithCdiName(absl::Span<const std::string> ids) {
  v1beta1::ContainerAllocateResponse response;
  for (const std::string& id : ids) response.add_cdi_devices()->set_name("example.com/device=" + id);
  return response;
}

class ContainerStartTest : public testing::Test {
 protected:
  void RunAs(std::string_view kubelet, fakes::ScriptedPlugin::Options options) {
    ASSERT_OK(node_.Start(kubelet));
    ASSERT_OK(node_.RunPlugin(kResource, "a.sock", std::move(options)));
  }
  absl::StatusOr<std::optional<RunOptions>> Options(const Pod& pod) {
    return node_.manager().ContainerRunOptions(pod, pod.containers[0]);
  }
  static fakes::ScriptedPlugin::Options WantsPreStart() {
    fakes::ScriptedPlugin::Options options;
    options.options.set_pre_start_required(true);
    return options;
  }
  fakes::PluginScript& script() { return node_.plugin("a.sock").script(); }

  DeviceNode node_;
};

TEST_F(ContainerStartTest, AContainerIsStartedWithWhatThePluginAnswered) {
  RunAs("latest", {});
  const Pod pod = PodWith("one", {{kResource, 2}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options, Options(pod));
  ASSERT_TRUE(options.has_value());
  EXPECT_THAT(options->envs, ElementsAre(Key("FAKE_DEVICES")));
}

TEST_F(ContainerStartTest, AContainerWithoutDevicesHasNoOptions) {
  RunAs("latest", {});
  EXPECT_THAT(Options(PodWith("one", {{"cpu", 1}})), IsOkAndHolds(std::nullopt));
}

TEST_F(ContainerStartTest, APluginThatWantsToBeToldIsToldAtEveryStart) {
  RunAs("latest", WantsPreStart());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  EXPECT_OK(Options(pod));
  EXPECT_OK(Options(pod));
  ASSERT_OK_AND_ASSIGN(const PluginCall call, script().WaitForCall(PluginMethod::kPreStartContainer, 2));
  EXPECT_THAT(call.ids, ElementsAre("dev-0"));
}

TEST_F(ContainerStartTest, APluginThatDoesNotIsNotTold) {
  RunAs("latest", {});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  EXPECT_OK(Options(pod));
  EXPECT_EQ(script().CallCount(PluginMethod::kPreStartContainer), 0);
}

TEST_F(ContainerStartTest, AFailureOfThePluginHasUpstreamsText) {
  RunAs("latest", WantsPreStart());
  script().Always(PluginMethod::kPreStartContainer, {.act = PluginAct::kFail, .error = absl::UnknownError("no")});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  EXPECT_THAT(Options(pod).status().message(),
              "device plugin PreStartContainer rpc failed with err: rpc error: code = Unknown desc = no");
}

TEST_F(ContainerStartTest, APluginThatWantsToBeToldAndIsGoneKeepsTheContainerFromStarting) {
  RunAs("latest", WantsPreStart());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  EXPECT_THAT(Options(pod).status().message(),
              "device plugin PreStartContainer rpc failed with err: endpoint example.com/device has been stopped");
}

TEST_F(ContainerStartTest, APluginThatHasBeenGoneForTooLongKeepsTheContainerFromStarting) {
  RunAs("latest", WantsPreStart());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.KillPlugin("a.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 0));
  node_.clock.Advance(kStoppedGrace + absl::Seconds(1));
  ASSERT_TRUE(node_.Await([&] { return !node_.manager().GetCapacity().capacity.contains(kResource); }));
  EXPECT_THAT(Options(pod).status().message(),
              "endpoint not found in cache for a registered resource: example.com/device");
}

TEST_F(ContainerStartTest, WhetherToTellIsUpToTheInstanceThatIsLeft) {
  RunAs("latest", WantsPreStart());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(node_.RunPlugin(kResource, "b.sock", {.devices = NumberedDevices("dev-", 3)}));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 3, 3));
  ASSERT_OK(Options(pod));
  EXPECT_EQ(script().CallCount(PluginMethod::kPreStartContainer), 0);
  node_.KillPlugin("b.sock");
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 2));
  ASSERT_OK(Options(pod));
  EXPECT_EQ(script().CallCount(PluginMethod::kPreStartContainer), 1);
}

TEST_F(ContainerStartTest, APluginThatRegistersAgainWhileItIsToldIsToldAgain) {
  RunAs("latest", WantsPreStart());
  script().At(PluginMethod::kPreStartContainer, 1, {.held = true});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  {
    const auto starting = node_.threads.Start("start", [&] { EXPECT_OK(Options(pod)); });
    ASSERT_OK(script().WaitForCall(PluginMethod::kPreStartContainer, 1));
    ASSERT_OK(node_.Register(kResource, "a.sock"));
  }
  EXPECT_EQ(script().CallCount(PluginMethod::kPreStartContainer), 2);
}

TEST_F(ContainerStartTest, APluginThatDoesNotAnswerInThirtySecondsFailsTheStart) {
  RunAs("latest", WantsPreStart());
  script().Always(PluginMethod::kPreStartContainer, {.held = true});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  absl::Status started;
  {
    const auto starting = node_.threads.Start("start", [&] { started = Options(pod).status(); });
    ASSERT_OK(script().WaitForCall(PluginMethod::kPreStartContainer, 1));
    ASSERT_TRUE(node_.clock.AwaitAlarms(1));
    node_.clock.Advance(absl::Seconds(30));
  }
  EXPECT_THAT(started, StatusIs(absl::StatusCode::kDeadlineExceeded,
                                testing::HasSubstr("PreStartContainer of device plugin example.com/device")));
}

// What the plugin wants is not in the state file.
TEST_F(ContainerStartTest, BetweenARestartAndItsReturnThePluginIsNotToldOfStarts) {
  RunAs("latest", WantsPreStart());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_OK(Options(pod));
  EXPECT_EQ(script().CallCount(PluginMethod::kPreStartContainer), 0);
}

TEST_F(ContainerStartTest, ConflictingSettingsAreLoggedAndTheFirstResourceWins) {
  RunAs("latest", {});
  ASSERT_OK(node_.RunPlugin("example.com/other", "b.sock", {.devices = NumberedDevices("x-", 1)}));
  const Pod pod = PodWith("one", {{kResource, 1}, {"example.com/other", 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options, Options(pod));
  EXPECT_THAT(options->envs, ElementsAre(Pair("FAKE_DEVICES", "dev-0")));
  EXPECT_THAT(node_.log.lines(),
              testing::Contains(testing::AllOf(
                  IsLogLine(Severity::kError, "Environment variable has conflicting setting"),
                  HasLogField("envKey", "FAKE_DEVICES"), HasLogField("expected", "x-0"), HasLogField("got", "dev-0"))));
}

TEST_F(ContainerStartTest, ALateAllocationMayHaveWhatADepartedPodHeld) {
  ASSERT_OK(node_.Start());
  const Pod late = PodWith("late", {{kResource, 2}});
  ASSERT_OK(node_.Admit(late));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.Admit(PodWith("gone", {{kResource, 1}})));
  node_.Remove("gone");
  EXPECT_OK(Options(late));
  EXPECT_THAT(node_.Devices("late", kResource), ElementsAre("dev-0", "dev-1"));
}

// Upstream hands it on, and the container starts with it.
TEST_F(ContainerStartTest, WhatAnInitContainerHadThatIsIllNowIsNotTakenOver) {
  ASSERT_OK(node_.Start());
  Pod late = PodWith("late", {{kResource, 1}});
  late.containers.insert(late.containers.begin(),
                         {.name = "init", .kind = ContainerKind::kInit, .limits = {{kResource, 1}}});
  ASSERT_OK(node_.Admit(late));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK(node_.manager().ContainerRunOptions(late, late.containers[0]));
  ASSERT_OK(node_.plugin("a.sock").feed().SetHealth("dev-0", "Unhealthy"));
  ASSERT_TRUE(node_.AwaitCapacity(kResource, 2, 1));
  EXPECT_OK(node_.manager().ContainerRunOptions(late, late.containers[1]));
  EXPECT_THAT(node_.Devices("late", kResource, "init"), ElementsAre("dev-0"));
  EXPECT_THAT(node_.Devices("late", kResource), ElementsAre("dev-1"));
}

// Upstream chooses for both at the same time, and may choose the same.
TEST_F(ContainerStartTest, ALateAllocationAndAnAdmissionAtTheSameTimeGetDifferentDevices) {
  ASSERT_OK(node_.Start());
  const Pod late = PodWith("late", {{kResource, 1}});
  ASSERT_OK(node_.Admit(late));
  fakes::ScriptedPlugin::Options options{.prefer = [](const PluginCall&) { return std::vector<std::string>{"dev-0"}; }};
  options.options.set_get_preferred_allocation_available(true);
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock", std::move(options)));
  script().At(PluginMethod::kGetPreferredAllocation, 1, {.held = true});
  {
    const auto starting = node_.threads.Start("start", [&] { EXPECT_OK(Options(late)); });
    ASSERT_OK(script().WaitForCall(PluginMethod::kGetPreferredAllocation, 1));
    EXPECT_OK(node_.Admit(PodWith("new", {{kResource, 1}})));
    script().Release(PluginMethod::kGetPreferredAllocation, 1);
  }
  EXPECT_THAT(node_.Devices("new", kResource), ElementsAre("dev-0"));
  EXPECT_THAT(node_.Devices("late", kResource), ElementsAre("dev-1"));
}

TEST_F(ContainerStartTest, ThePreStartOfAContainerThatHoldsNothingIsRefused) {
  RunAs("latest", WantsPreStart());
  EXPECT_THAT(Options(PodWith("one", {{kResource, 1}})).status().message(),
              "no devices found allocated in local cache for pod one, container main, resource example.com/device");
}

TEST_F(ContainerStartTest, ARequestForNothingStartsWithoutThePlugin) {
  RunAs("latest", WantsPreStart());
  EXPECT_THAT(Options(PodWith("one", {{kResource, 0}})), IsOkAndHolds(std::nullopt));
}

TEST_F(ContainerStartTest, APodThatWasAdmittedBeforeItsPluginCameGetsItsDevicesNow) {
  ASSERT_OK(node_.Start());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options, Options(pod));
  EXPECT_TRUE(options.has_value());
  EXPECT_THAT(node_.Devices("one", kResource), ElementsAre("dev-0"));
}

TEST_F(ContainerStartTest, APodThatIsNotActiveAnyMoreGetsNone) {
  ASSERT_OK(node_.Start());
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK(node_.RunPlugin(kResource, "a.sock"));
  node_.Remove("one");
  EXPECT_THAT(Options(pod), IsOkAndHolds(std::nullopt));
  EXPECT_EQ(script().CallCount(PluginMethod::kAllocate), 0);
}

TEST_F(ContainerStartTest, CdiNamesAreAnnotationsTooIn128) {
  RunAs("1.28", {.allocate = WithCdiName});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options, Options(pod));
  EXPECT_THAT(options->cdi_devices, ElementsAre("example.com/device=dev-0"));
  EXPECT_THAT(options->annotations, ElementsAre(Pair("cdi.k8s.io/devicemanager_one-main", "example.com/device=dev-0")));
}

TEST_F(ContainerStartTest, CdiNamesAreNoAnnotationsForLatest) {
  RunAs("latest", {.allocate = WithCdiName});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> options, Options(pod));
  EXPECT_THAT(options->cdi_devices, ElementsAre("example.com/device=dev-0"));
  EXPECT_THAT(options->annotations, testing::IsEmpty());
}

TEST_F(ContainerStartTest, AfterARestartTheOptionsAreTheSame) {
  RunAs("latest", {});
  const Pod pod = PodWith("one", {{kResource, 1}});
  ASSERT_OK(node_.Admit(pod));
  ASSERT_OK_AND_ASSIGN(const std::optional<RunOptions> before, Options(pod));
  node_.Kill();
  ASSERT_OK(node_.Start());
  EXPECT_THAT(Options(pod), IsOkAndHolds(before));
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
