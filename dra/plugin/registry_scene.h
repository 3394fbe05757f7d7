// RegistryScene: a DriverRegistry with drivers in memory and ResourceSlices in memory, under SeededThreads: time passes
// when every thread waits, so that after Settle() all that follows from what was done has happened. Tests only.
#ifndef KUBELET_CM_DRA_PLUGIN_REGISTRY_SCENE_H_
#define KUBELET_CM_DRA_PLUGIN_REGISTRY_SCENE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/personality/personality.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/event.h"
#include "common/threads/seeded_threads.h"
#include "dra/plugin/driver_registry.h"
#include "dra/plugin/switched_drivers.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_slice_client.h"

namespace kubelet_cm::dra {

// "+1" for a registration of the instance with the id 1, "-1" for the end of it.
class HeardDrivers : public DriverListener {
 public:
  void OnRegistered(const RegisteredDriver& driver) override { Hear("+", driver); }
  void OnDeregistered(const RegisteredDriver& driver) override { Hear("-", driver); }

  std::vector<std::string> heard;  // only one thread runs at a time
  std::vector<RegisteredDriver> drivers;
  std::function<void()> first;

 private:
  void Hear(const char* sign, const RegisteredDriver& driver) {
    if (first) first();
    heard.push_back(absl::StrCat(sign, driver.id));
    drivers.push_back(driver);
  }
};

class RegistryScene {
 public:
  static constexpr char kDriver[] = "gpu.example.com";

  RegistryScene(Threads& threads_used, const std::string& version)
      : threads(threads_used), kubelet_(**ParsePersonality(version)) {
    Start();
  }

  void Start(bool with_slices = true) {
    registry.emplace(DriverRegistry::Dependencies{.threads = threads,
                                                  .log = log,
                                                  .random = random_,
                                                  .kubelet = kubelet_,
                                                  .connect = drivers.Connector(),
                                                  .slices = with_slices ? &slices : nullptr,
                                                  .listener = &listener});
    Settle();  // the slices of all drivers have been wiped
  }

  // Registers, at `endpoint`, with what a driver of any time would list.
  absl::Status Register(const std::string& endpoint, const std::string& version = "v1beta1.DRAPlugin") {
    return registry->Register({.driver_name = kDriver, .endpoint = endpoint, .supported_versions = {version}});
  }
  absl::Status RegisterConnected(const std::string& endpoint) {
    drivers.Switch(endpoint, true);
    const absl::Status registered = Register(endpoint);
    Settle();
    return registered;
  }
  void Deregister(const std::string& endpoint) { registry->Deregister(kDriver, endpoint); }
  absl::Status Call() { return (*registry->Find(kDriver))->Prepare({}, kDraCallTimeout).status(); }

  void LetPass(absl::Duration time) { Event(threads, "time").WaitFor(time); }
  void Settle() { LetPass(absl::Milliseconds(1)); }
  absl::Duration Now() const { return threads.clock().MonotonicNow().since_start(); }

  // When, after `from`, the driver's slices were to be deleted.
  std::vector<absl::Duration> Wipes(absl::Duration from) const {
    std::vector<absl::Duration> wipes;
    for (const fakes::FakeSliceClient::Delete& one : slices.Deletes()) {
      if (one.driver_name == kDriver) wipes.push_back(one.at.since_start() - from);
    }
    return wipes;
  }

  // The fields of the last line with this message; empty if there is none.
  CapturedLine LastLine(std::string_view message) const {
    CapturedLine last;
    for (const CapturedLine& line : log.lines()) {
      if (line.message == message) last = line;
    }
    return last;
  }

  Threads& threads;
  CapturingLogger log;
  SwitchedDrivers drivers{threads};
  fakes::FakeSliceClient slices{threads};
  HeardDrivers listener;
  std::optional<DriverRegistry> registry;

 private:
  const Personality& kubelet_;
  SeededRandom random_{1};
};

// Runs `body` in many orders of threads.
inline void WithRegistry(const std::function<void(RegistryScene&)>& body, const std::string& version = "latest") {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    FakeClock clock;
    SeededThreads threads(clock, {.seed = seed});
    ASSERT_OK(threads.Run([&] {
      RegistryScene scene(threads, version);
      body(scene);
    })) << version;
  }
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_REGISTRY_SCENE_H_
