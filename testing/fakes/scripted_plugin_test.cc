#include "testing/fakes/scripted_plugin.h"

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::fakes {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr MonotonicTime kNever = MonotonicTime::InfiniteFuture();

class ScriptedPluginTest : public ::testing::Test {
 protected:
  absl::StatusOr<::v1beta1::AllocateResponse> Allocate() {
    return plugin_.Allocate(session_, {.ids = {"a", "b"}}, kNever);
  }

  absl::StatusOr<::v1beta1::PreferredAllocationResponse> Prefer() {
    return plugin_.Prefer(session_, {.ids = {"a", "b", "c"}, .must_include = {"b"}, .size = 2}, kNever);
  }

  static std::string Devices(const ::v1beta1::ContainerAllocateResponse& answer) {
    return answer.envs().at("FAKE_DEVICES");
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  ScriptedPlugin plugin_{threads_, {}};
  const ScriptedPlugin::SessionId session_ = plugin_.OpenSession();
};

TEST_F(ScriptedPluginTest, AllocatesWhatItIsAskedFor) {
  ASSERT_OK_AND_ASSIGN(const auto answer, Allocate());
  ASSERT_THAT(answer.container_responses(), SizeIs(1));
  EXPECT_EQ(Devices(answer.container_responses(0)), "a,b");
}

TEST_F(ScriptedPluginTest, PrefersWhatMustBeIncludedAndThenTheFirst) {
  ASSERT_OK_AND_ASSIGN(const auto answer, Prefer());
  ASSERT_THAT(answer.container_responses(), SizeIs(1));
  EXPECT_THAT(answer.container_responses(0).deviceids(), ElementsAre("b", "a"));
}

TEST_F(ScriptedPluginTest, AnswersAboutNoContainer) {
  plugin_.script().Always(PluginMethod::kAllocate, {.act = PluginAct::kNoContainers});
  plugin_.script().Always(PluginMethod::kGetPreferredAllocation, {.act = PluginAct::kNoContainers});
  ASSERT_OK_AND_ASSIGN(const auto answer, Allocate());
  EXPECT_THAT(answer.container_responses(), SizeIs(0));
  ASSERT_OK_AND_ASSIGN(const auto preferred, Prefer());
  EXPECT_THAT(preferred.container_responses(), SizeIs(0));
}

TEST_F(ScriptedPluginTest, AnswersAboutOneContainerTooMany) {
  plugin_.script().Always(PluginMethod::kAllocate, {.act = PluginAct::kExtraContainer});
  ASSERT_OK_AND_ASSIGN(const auto answer, Allocate());
  EXPECT_THAT(answer.container_responses(), SizeIs(2));
}

TEST_F(ScriptedPluginTest, AnswersWithStrangeAndWithTooManyDevices) {
  plugin_.script().At(PluginMethod::kGetPreferredAllocation, 1, {.act = PluginAct::kOtherIds});
  plugin_.script().At(PluginMethod::kGetPreferredAllocation, 2, {.act = PluginAct::kExtraIds});
  ASSERT_OK_AND_ASSIGN(const auto strange, Prefer());
  EXPECT_THAT(strange.container_responses(0).deviceids(), ElementsAre("nobody-mentioned-me"));
  ASSERT_OK_AND_ASSIGN(const auto many, Prefer());
  EXPECT_THAT(many.container_responses(0).deviceids(), ElementsAre("b", "a", "c", "nobody-mentioned-me"));
}

TEST_F(ScriptedPluginTest, DyingCutsTheStreamsAndTellsOnce) {
  std::vector<ScriptedPlugin::SessionId> deaths;
  plugin_.OnDeath([&](ScriptedPlugin::SessionId session) { deaths.push_back(session); });
  ASSERT_OK_AND_ASSIGN(const ScriptedPlugin::StreamId stream, plugin_.OpenStream(session_));
  plugin_.script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kDie});
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable, "Socket closed"));
  EXPECT_THAT(plugin_.feed().Next(stream), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(Allocate(), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(plugin_.OpenStream(session_), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(deaths, ElementsAre(session_));
}

TEST_F(ScriptedPluginTest, OtherSessionsSurviveTheEndOfOne) {
  const ScriptedPlugin::SessionId other = plugin_.OpenSession();
  ASSERT_OK_AND_ASSIGN(const ScriptedPlugin::StreamId stream, plugin_.OpenStream(other));
  plugin_.CloseSession(session_, absl::CancelledError("closed"));
  EXPECT_OK(plugin_.feed().Next(stream));
  EXPECT_OK(plugin_.GetOptions(other, kNever));
  EXPECT_THAT(plugin_.GetOptions(session_, kNever), StatusIs(absl::StatusCode::kCancelled));
}

TEST_F(ScriptedPluginTest, CallCanEndTheStreamProperly) {
  ASSERT_OK_AND_ASSIGN(const ScriptedPlugin::StreamId stream, plugin_.OpenStream(session_));
  plugin_.script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kEndStream});
  EXPECT_OK(Allocate());
  EXPECT_OK(plugin_.feed().Next(stream));
  EXPECT_THAT(plugin_.feed().Next(stream), StatusIs(absl::StatusCode::kOutOfRange, "EOF"));
}

TEST_F(ScriptedPluginTest, NumberedDevicesAreSpreadOverNumaNodes) {
  const ::v1beta1::ListAndWatchResponse list = NumberedDevices("gpu-", 3, 2);
  ASSERT_THAT(list.devices(), SizeIs(3));
  EXPECT_EQ(list.devices(2).id(), "gpu-2");
  EXPECT_EQ(list.devices(1).topology().nodes(0).id(), 1);
  EXPECT_EQ(list.devices(2).topology().nodes(0).id(), 0);
  EXPECT_FALSE(NumberedDevices("x", 1).devices(0).has_topology());
}

TEST_F(ScriptedPluginTest, AKilledPluginAnswersNobodyNeitherNowNorLater) {
  const auto before = plugin_.OpenSession();
  plugin_.Kill();
  const auto after = plugin_.OpenSession();
  for (const auto session : {before, after}) {
    EXPECT_THAT(plugin_.GetOptions(session, kNever).status(), StatusIs(absl::StatusCode::kUnavailable));
    EXPECT_THAT(plugin_.OpenStream(session).status(), StatusIs(absl::StatusCode::kUnavailable));
  }
}

}  // namespace
}  // namespace kubelet_cm::fakes
