#include "deviceplugin/endpoint/fake_plugin_client.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::PluginAct;
using fakes::PluginCall;
using fakes::PluginMethod;
using ::testing::ElementsAre;

constexpr absl::Duration kLimit = absl::Seconds(10);
const std::vector<std::string>& Ids() {
  static const auto* const ids = new std::vector<std::string>{"a", "b"};
  return *ids;
}

class FakePluginClientTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  fakes::ScriptedPlugin plugin_{threads_, {}};
  FakePluginClient client_{threads_, plugin_};
};

TEST_F(FakePluginClientTest, PassesCallsAndArgumentsOn) {
  EXPECT_OK(client_.GetOptions(kLimit));
  EXPECT_OK(client_.Allocate(Ids(), kLimit));
  EXPECT_OK(client_.GetPreferredAllocation(Ids(), {}, 1, kLimit));
  EXPECT_OK(client_.PreStartContainer(Ids(), kLimit));
  EXPECT_THAT(plugin_.script().Calls(),
              ElementsAre(PluginCall{.method = PluginMethod::kGetOptions},
                          PluginCall{.method = PluginMethod::kAllocate, .ids = Ids()},
                          PluginCall{.method = PluginMethod::kGetPreferredAllocation, .ids = Ids(), .size = 1},
                          PluginCall{.method = PluginMethod::kPreStartContainer, .ids = Ids()}));
}

TEST_F(FakePluginClientTest, CancelledStreamEndsAndTheClientGoesOn) {
  const std::unique_ptr<DeviceStream> stream = client_.ListAndWatch();
  stream->Cancel();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_OK(client_.Allocate(Ids(), kLimit));
}

TEST_F(FakePluginClientTest, DisconnectEndsEverythingOfThisClientAlone) {
  FakePluginClient other(threads_, plugin_);
  const std::unique_ptr<DeviceStream> stream = client_.ListAndWatch();
  client_.Disconnect();
  EXPECT_THAT(stream->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(client_.Allocate(Ids(), kLimit), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_THAT(client_.ListAndWatch()->Read(), StatusIs(absl::StatusCode::kCancelled));
  EXPECT_OK(other.Allocate(Ids(), kLimit));
}

TEST_F(FakePluginClientTest, DeadPluginIsUnavailable) {
  plugin_.script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kDie});
  EXPECT_THAT(client_.Allocate(Ids(), kLimit), StatusIs(absl::StatusCode::kUnavailable));
  EXPECT_THAT(client_.ListAndWatch()->Read(), StatusIs(absl::StatusCode::kUnavailable));
}

TEST(FakePluginClientUnderSeededThreadsTest, HangingCallEndsWithItsTimeLimitOrTheClient) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      fakes::ScriptedPlugin plugin(threads, {});
      plugin.script().Always(PluginMethod::kAllocate, {.held = true});
      FakePluginClient client(threads, plugin);
      EXPECT_THAT(client.Allocate(Ids(), kLimit), StatusIs(absl::StatusCode::kDeadlineExceeded));
      const std::unique_ptr<Thread> breaker = threads.Start("breaker", [&] { client.Disconnect(); });
      EXPECT_THAT(client.Allocate(Ids(), absl::InfiniteDuration()), StatusIs(absl::StatusCode::kCancelled));
    }));
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
