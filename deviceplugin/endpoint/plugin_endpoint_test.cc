#include "deviceplugin/endpoint/plugin_endpoint.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/notification.h"
#include "common/threads/real_threads.h"
#include "common/threads/seeded_threads.h"
#include "deviceplugin/endpoint/fake_plugin_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/scripted_plugin.h"
#include "testing/harness/recording.h"

namespace kubelet_cm::deviceplugin {
namespace {

using fakes::NumberedDevices;
using fakes::PluginAct;
using fakes::PluginMethod;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<std::string>& Ids() {
  static const auto* const ids = new std::vector<std::string>{"dev-0"};
  return *ids;
}

// Remembers what it heard: the number of devices of each list, and how the stream ended.
class Recorder : public PluginEndpointObserver, public harness::Recording {
 public:
  using Recording::Recording;

  void OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& list) override {
    Add(absl::StrCat(id, ": ", list.devices_size(), " devices"));
  }
  void OnEnded(InstanceId id, const absl::Status& reason) override {
    Add(absl::StrCat(id, ": ", absl::StatusCodeToString(reason.code())));
  }
};

// An endpoint of a scripted plugin, on whichever threads.
struct World {
  explicit World(Threads& the_threads) : threads(the_threads) {}

  std::unique_ptr<PluginEndpoint> Connect(InstanceId id = 1) {
    return std::make_unique<PluginEndpoint>(
        PluginEndpoint::Dependencies{threads, log},
        PluginEndpoint::Options{.id = id, .resource_name = "example.com/gpu", .socket_path = "/plugins/gpu.sock"},
        std::make_unique<FakePluginClient>(threads, plugin));
  }

  Threads& threads;
  CapturingLogger log;
  fakes::ScriptedPlugin plugin{threads, {.options = {}, .devices = NumberedDevices("dev-", 2)}};
  Recorder recorder{threads};
};

class PluginEndpointTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  RealThreads threads_{clock_};
  World world_{threads_};
};

TEST_F(PluginEndpointTest, AnAnswerThatIsTooLargeIsRefusedInTheKubeletsWords) {
  fakes::ScriptedPlugin plugin(threads_, {.allocate = [](absl::Span<const std::string>) {
                                 v1beta1::ContainerAllocateResponse answer;
                                 (*answer.mutable_envs())["LARGE"] = std::string(4 << 20, 'x');
                                 return answer;
                               }});
  PluginEndpoint endpoint({threads_, world_.log}, {.id = 1, .resource_name = "example.com/gpu"},
                          std::make_unique<FakePluginClient>(threads_, plugin));
  EXPECT_THAT(endpoint.Allocate(Ids()),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       HasSubstr("rpc error: code = ResourceExhausted desc = grpc: received message larger than max")));
}

TEST_F(PluginEndpointTest, ObserverHearsEveryListAndTheEnd) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect(7);
  endpoint->Watch(world_.recorder);
  world_.recorder.Wait(1);
  world_.plugin.feed().Publish(NumberedDevices("dev-", 5));
  world_.plugin.feed().EndAll(absl::OutOfRangeError("EOF"));
  EXPECT_THAT(world_.recorder.Wait(3), ElementsAre("7: 2 devices", "7: 5 devices", "7: OUT_OF_RANGE"));
}

TEST_F(PluginEndpointTest, NobodyIsCalledWithoutWatch) {
  world_.Connect()->Stop();
  EXPECT_THAT(world_.recorder.heard(), IsEmpty());
}

TEST_F(PluginEndpointTest, EndOfTheStreamStopsTheEndpoint) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  endpoint->Watch(world_.recorder);
  world_.recorder.Wait(1);
  world_.plugin.feed().EndAll(absl::UnavailableError("Socket closed"));
  world_.recorder.Wait(2);
  EXPECT_THAT(endpoint->Allocate(Ids()),
              StatusIs(absl::StatusCode::kUnavailable, "endpoint example.com/gpu has been stopped"));
  EXPECT_EQ(world_.plugin.script().CallCount(PluginMethod::kAllocate), 0);
}

TEST_F(PluginEndpointTest, StoppedEndpointRefusesEveryCall) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  endpoint->Stop();
  const auto is_stopped = StatusIs(absl::StatusCode::kUnavailable, "endpoint example.com/gpu has been stopped");
  EXPECT_THAT(endpoint->Allocate(Ids()).status(), is_stopped);
  EXPECT_THAT(endpoint->GetPreferredAllocation(Ids(), {}, 1).status(), is_stopped);
  EXPECT_THAT(endpoint->PreStartContainer(Ids()), is_stopped);
  EXPECT_THAT(endpoint->GetOptions().status(), is_stopped);
}

TEST_F(PluginEndpointTest, ErrorsOfThePluginAreWordedAsTheKubeletWordsThem) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  for (const PluginMethod method : {PluginMethod::kAllocate, PluginMethod::kGetPreferredAllocation,
                                    PluginMethod::kPreStartContainer, PluginMethod::kGetOptions}) {
    world_.plugin.script().Always(method, {.act = PluginAct::kFail, .error = absl::UnknownError("no such GPU")});
  }
  const std::string text = "rpc error: code = Unknown desc = no such GPU";
  EXPECT_THAT(endpoint->Allocate(Ids()), StatusIs(absl::StatusCode::kUnknown, text));
  EXPECT_THAT(endpoint->GetPreferredAllocation(Ids(), {}, 1), StatusIs(absl::StatusCode::kUnknown, text));
  EXPECT_THAT(endpoint->PreStartContainer(Ids()), StatusIs(absl::StatusCode::kUnknown, text));
  EXPECT_THAT(endpoint->GetOptions(),
              StatusIs(absl::StatusCode::kUnknown, "failed to get device plugin options: " + text));
}

TEST_F(PluginEndpointTest, AnswersOfThePluginPassAsTheyAre) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  world_.plugin.script().At(PluginMethod::kAllocate, 1, {.act = PluginAct::kNoContainers});
  ASSERT_OK_AND_ASSIGN(const auto empty, endpoint->Allocate(Ids()));
  EXPECT_EQ(empty.container_responses_size(), 0);
  ASSERT_OK_AND_ASSIGN(const auto full, endpoint->Allocate(Ids()));
  EXPECT_EQ(full.container_responses(0).envs().at("FAKE_DEVICES"), "dev-0");
}

TEST_F(PluginEndpointTest, UnexpectedEndIsLogged) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  endpoint->Watch(world_.recorder);
  world_.recorder.Wait(1);
  world_.plugin.feed().EndAll(absl::UnavailableError("Socket closed"));
  world_.recorder.Wait(2);
  EXPECT_THAT(world_.log.lines(),
              Contains(AllOf(IsLogLine(Severity::kError, "ListAndWatch ended unexpectedly for device plugin"),
                             HasLogField("resource", "example.com/gpu"), HasLogField("socketPath", "/plugins/gpu.sock"),
                             HasLogError(HasSubstr("Socket closed")))));
}

TEST_F(PluginEndpointTest, WantedEndIsNoErrorInTheLog) {
  world_.Connect()->Watch(world_.recorder);  // stopped by its destructor
  EXPECT_THAT(world_.log.lines(), ElementsAre(IsLogLine(Severity::kInfo, "ListAndWatch ended for device plugin")));
}

TEST_F(PluginEndpointTest, ListThatIsTooLargeIsLoggedInPlainWords) {
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  world_.plugin.script().At(PluginMethod::kListAndWatch, 1,
                            {.act = PluginAct::kFail, .error = absl::ResourceExhaustedError("20 vs. 16")});
  endpoint->Watch(world_.recorder);
  EXPECT_THAT(world_.recorder.Wait(1), ElementsAre("1: RESOURCE_EXHAUSTED"));
  EXPECT_THAT(world_.log.lines(),
              Contains(AllOf(IsLogLine(Severity::kError, "Device plugin sent a device list that is too large"),
                             HasLogError("20 vs. 16"))));
}

// Stops its endpoint from inside a callback.
class Stopper : public Recorder {
 public:
  using Recorder::Recorder;
  void OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& list) override {
    endpoint->Stop();
    Recorder::OnDevices(id, list);
  }
  PluginEndpoint* endpoint = nullptr;
};

TEST_F(PluginEndpointTest, CallbackMayStopItsEndpoint) {
  Stopper stopper(threads_);
  const std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  stopper.endpoint = endpoint.get();
  endpoint->Watch(stopper);
  EXPECT_THAT(stopper.Wait(2), ElementsAre("1: 2 devices", "1: CANCELLED"));
}

// Stays in its first callback until it is told to go on.
class Dawdler : public Recorder {
 public:
  explicit Dawdler(Threads& threads) : Recorder(threads), entered(threads, "callback"), go_on(threads, "go on") {}
  void OnDevices(InstanceId id, const v1beta1::ListAndWatchResponse& list) override {
    entered.Notify();
    go_on.Wait();
    Recorder::OnDevices(id, list);
  }
  Notification entered;
  Notification go_on;
};

TEST_F(PluginEndpointTest, DestructionWaitsForTheRunningCallback) {
  Dawdler dawdler(threads_);
  std::unique_ptr<PluginEndpoint> endpoint = world_.Connect();
  endpoint->Watch(dawdler);
  dawdler.entered.Wait();
  const PluginEndpoint& being_destroyed = *endpoint;
  std::unique_ptr<Thread> destroyer = threads_.Start("destroyer", [&] { endpoint.reset(); });
  while (!being_destroyed.stopped()) threads_.Yield();
  EXPECT_THAT(dawdler.heard(), IsEmpty());
  dawdler.go_on.Notify();
  destroyer.reset();
  EXPECT_THAT(dawdler.heard(), ElementsAre("1: 2 devices", "1: CANCELLED"));
}

// Destroys its endpoint on the endpoint's own thread.
class Suicide : public Recorder {
 public:
  using Recorder::Recorder;
  void OnEnded(InstanceId, const absl::Status&) override { endpoint.reset(); }
  std::unique_ptr<PluginEndpoint> endpoint;
};

TEST(PluginEndpointDeathTest, CallbackMayNotDestroyItsEndpoint) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        FakeClock clock;
        RealThreads threads(clock);
        World world(threads);
        Suicide suicide(threads);
        suicide.endpoint = world.Connect();
        suicide.endpoint->Watch(suicide);
        suicide.Wait(1);
        world.plugin.feed().EndAll(absl::OutOfRangeError("EOF"));
        suicide.Wait(2);
      },
      "a callback destroys its own endpoint");
}

TEST(PluginEndpointUnderSeededThreadsTest, HangingPluginIsNamedWhenTheTimeIsOver) {
  FakeClock clock;
  SeededThreads threads(clock, {.seed = 1});
  EXPECT_OK(threads.Run([&] {
    World world(threads);
    world.plugin.script().Always(PluginMethod::kAllocate, {.held = true});
    EXPECT_THAT(world.Connect()->Allocate(Ids()),
                StatusIs(absl::StatusCode::kDeadlineExceeded,
                         "rpc error: code = DeadlineExceeded desc = context deadline exceeded: Allocate of device "
                         "plugin example.com/gpu at /plugins/gpu.sock was not answered within 1m"));
  }));
}

TEST(PluginEndpointUnderSeededThreadsTest, StopEndsCallsInFlightInWhateverOrder) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    EXPECT_OK(threads.Run([&] {
      World world(threads);
      world.plugin.script().Always(PluginMethod::kAllocate, {.held = true});
      const std::unique_ptr<PluginEndpoint> endpoint = world.Connect();
      endpoint->Watch(world.recorder);
      const std::unique_ptr<Thread> stopper = threads.Start("stopper", [&] { endpoint->Stop(); });
      EXPECT_THAT(endpoint->Allocate(Ids()),
                  StatusIs(absl::StatusCode::kUnavailable, "endpoint example.com/gpu has been stopped"));
      while (world.recorder.heard().empty() || world.recorder.heard().back() != "1: CANCELLED") threads.Yield();
    })) << "seed "
        << seed;
  }
}

}  // namespace
}  // namespace kubelet_cm::deviceplugin
