#include "dra/plugin/driver_instance.h"

#include <functional>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/notification.h"
#include "common/threads/seeded_threads.h"
#include "dra/plugin/switched_drivers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kEndpoint[] = "/a.sock";

class Recorder : public DriverInstanceObserver {
 public:
  void OnConnection(const RegisteredDriver& driver, bool connected) override {
    EXPECT_EQ(driver.id, 7u);
    seen.push_back(connected);
    if (then) then();
  }

  std::vector<bool> seen;
  std::function<void()> then;
};

struct Scene {
  explicit Scene(Threads& threads_used) : threads(threads_used) {
    client = drivers.Connector()({.driver_name = "d", .endpoint = kEndpoint})->client;
    instance = std::make_unique<DriverInstance>(
        threads, RegisteredDriver{.id = 7, .driver_name = "d", .endpoint = kEndpoint}, client);
  }
  // Until every thread waits.
  void Settle() { Event(threads, "time").WaitFor(absl::Seconds(1)); }

  Threads& threads;
  SwitchedDrivers drivers{threads};
  Recorder recorder;
  std::shared_ptr<DraClient> client;
  std::unique_ptr<DriverInstance> instance;
};

void WithInstance(const std::function<void(Scene&)>& body) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    ASSERT_OK(threads.Run([&] {
      Scene scene(threads);
      body(scene);
    }));
  }
}

TEST(DriverInstanceTest, ObserverHearsOfEachChangeOfTheConnection) {
  WithInstance([](Scene& scene) {
    scene.instance->Watch(scene.recorder);
    scene.Settle();
    EXPECT_THAT(scene.recorder.seen, IsEmpty());
    for (const bool on : {true, false, true}) {
      scene.drivers.Switch(kEndpoint, on);
      scene.Settle();
    }
    EXPECT_THAT(scene.recorder.seen, ElementsAre(true, false, true));
  });
}

TEST(DriverInstanceTest, StopEndsTheCallsAndTheObserverHearsNothingOfIt) {
  WithInstance([](Scene& scene) {
    scene.drivers.Switch(kEndpoint, true);
    scene.instance->Watch(scene.recorder);
    scene.Settle();
    EXPECT_OK(scene.client->Prepare({}, kDraCallTimeout));
    scene.instance->Stop();
    scene.instance->Stop();
    EXPECT_THAT(scene.client->Prepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kCancelled));
    scene.Settle();
    EXPECT_THAT(scene.recorder.seen, ElementsAre(true));
  });
}

TEST(DriverInstanceTest, DestructionWaitsForACallbackThatIsUnderWay) {
  WithInstance([](Scene& scene) {
    Notification began(scene.threads, "the callback");
    bool ended = false;
    scene.recorder.then = [&] {
      began.Notify();
      scene.Settle();
      ended = true;
    };
    scene.drivers.Switch(kEndpoint, true);
    scene.instance->Watch(scene.recorder);
    began.Wait();
    scene.instance.reset();
    EXPECT_TRUE(ended);
  });
}

TEST(DriverInstanceTest, CallbackMayStopItsInstance) {
  WithInstance([](Scene& scene) {
    scene.recorder.then = [&] { scene.instance->Stop(); };
    scene.drivers.Switch(kEndpoint, true);
    scene.instance->Watch(scene.recorder);
    scene.Settle();
    EXPECT_THAT(scene.recorder.seen, ElementsAre(true));
  });
}

TEST(DriverInstanceTest, ConnectingOneOrOneNeverWatchedIsDestroyedAtOnce) {
  WithInstance([](Scene& scene) { scene.instance.reset(); });
  WithInstance([](Scene& scene) {
    scene.instance->Watch(scene.recorder);
    scene.instance.reset();
    scene.drivers.Switch(kEndpoint, true);
    scene.Settle();
    EXPECT_THAT(scene.recorder.seen, IsEmpty());
  });
}

TEST(DriverInstanceTest, ClientOutlivesTheInstanceAndFails) {
  WithInstance([](Scene& scene) {
    scene.drivers.Switch(kEndpoint, true);
    scene.instance->Watch(scene.recorder);
    scene.instance.reset();
    EXPECT_THAT(scene.client->Unprepare({}, kDraCallTimeout), StatusIs(absl::StatusCode::kCancelled));
  });
}

}  // namespace
}  // namespace kubelet_cm::dra
