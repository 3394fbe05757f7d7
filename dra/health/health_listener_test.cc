// The health of drivers on real sockets, through the whole of it, for both APIs.
#include "dra/health/health_listener.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/api/dra_api.h"
#include "dra/health/health_monitor.h"
#include "dra/plugin/connect_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/real_machine.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kEnded[] = "WatchResources health stream has ended";

HealthReports Says(const std::string& device, HealthValue health, const std::string& message = "") {
  return {{.pool = "pool", .device = device, .health = health, .message = message}};
}

// A monitor whose clock stands still, and drivers that live in real time.
class DriverHealthTest : public ::testing::TestWithParam<DraHealthApi> {
 protected:
  DriverHealthTest()
      : monitor_({.manager = *folder_.manager,
                  .threads = threads_,
                  .log = log_,
                  .pod_updates = pods_,
                  .pods_using = [](absl::Span<const DeviceName> devices) -> std::vector<std::string> {
                    return {"pod-" + devices.front().device};
                  }},
                 {}, {}) {}

  fakes::FakeDraDriver::Options OptionsOf(const std::string& socket) {
    return {.folder = machine_.folder.path(), .socket_name = socket, .health_apis = {GetParam()}};
  }
  std::shared_ptr<DriverConnection> Add(fakes::FakeDraDriver& driver, DraHealthApi api) {
    EXPECT_OK(driver.Start());
    std::shared_ptr<DriverConnection> connection;
    EXPECT_OK(ConnectDriver({.driver_name = "d", .endpoint = driver.socket_path()}, &connection).status());
    listener_.OnRegistered({.id = IdOf(driver),
                            .driver_name = "d",
                            .endpoint = driver.socket_path(),
                            .health = api,
                            .connection = connection});
    return connection;
  }
  void Remove(fakes::FakeDraDriver& driver) { listener_.OnDeregistered({.id = IdOf(driver)}); }
  uint64_t IdOf(const fakes::FakeDraDriver& driver) const { return &driver == &old_ ? 1 : 2; }
  std::vector<std::string> Pods() { return pods_.WaitAndTake(MonotonicTime::InfiniteFuture()); }
  std::string Read(const std::string& device) { return monitor_.Read({"d", "pool", device}).health; }

  harness::RealMachine machine_;
  fakes::FakeDraDriver old_{{machine_.threads, machine_.files}, OptionsOf("old.sock")};
  fakes::FakeDraDriver new_{{machine_.threads, machine_.files}, OptionsOf("new.sock")};

  FakeClock clock_;
  RealThreads threads_{clock_};
  harness::StateFolder folder_;
  AwaitingLogger log_;
  PodUpdates pods_{threads_};
  HealthMonitor monitor_;
  HealthListener listener_{monitor_};
};

INSTANTIATE_TEST_SUITE_P(EveryApi, DriverHealthTest, ::testing::Values(DraHealthApi::kV1, DraHealthApi::kV1Alpha1),
                         [](const auto& test) { return test.param == DraHealthApi::kV1 ? "v1" : "v1alpha1"; });

TEST_P(DriverHealthTest, PodsHearOfHealthUntilTheDriverIsSilent) {
  old_.health().Publish(Says("a", HealthValue::kHealthy));
  Add(old_, GetParam());
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Healthy");
  old_.health().Publish(Says("a", HealthValue::kUnhealthy));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Unhealthy");
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(31));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Unknown");
}

TEST_P(DriverHealthTest, ARollingUpdateKeepsWhatTheNewInstanceSaid) {
  old_.health().Publish(Says("a", HealthValue::kHealthy));
  new_.health().Publish(Says("a", HealthValue::kUnhealthy));
  Add(old_, GetParam());
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  Add(new_, GetParam());
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  old_.Stop();
  ASSERT_TRUE(log_.AwaitLine(kEnded));
  Remove(old_);
  EXPECT_EQ(Read("a"), "Unhealthy");
}

TEST_P(DriverHealthTest, ADriverThatComesBackIsListenedToAgain) {
  old_.health().Publish(Says("a", HealthValue::kHealthy));
  const auto connection = Add(old_, GetParam());
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  old_.Kill();
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Unknown");
  EXPECT_THAT(connection->WaitForConnectionChange(true), IsOkAndHolds(false));
  ASSERT_OK(old_.Start());
  EXPECT_THAT(connection->WaitForConnectionChange(false), IsOkAndHolds(true));
  ASSERT_TRUE(log_.AwaitLine(kEnded));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(5));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Healthy");
}

TEST_P(DriverHealthTest, ADriverWithoutTheServiceIsAskedOnce) {
  const DraHealthApi other = GetParam() == DraHealthApi::kV1 ? DraHealthApi::kV1Alpha1 : DraHealthApi::kV1;
  Add(old_, other);
  ASSERT_TRUE(log_.AwaitLine(kEnded));
  EXPECT_FALSE(clock_.AwaitAlarms(1, absl::Milliseconds(20)));
}

TEST_P(DriverHealthTest, ADriverThatOffersNoHealthIsNotAsked) {
  ASSERT_OK(old_.Start());
  listener_.OnRegistered({.id = 1, .driver_name = "d", .endpoint = old_.socket_path()});
  listener_.OnDeregistered({.id = 1});
  EXPECT_THAT(log_.lines(), IsEmpty());
}

// The instance is removed, and the monitor destroyed, while streams hang.
TEST_P(DriverHealthTest, HangingStreamsHoldNothingUp) {
  Add(old_, GetParam());
  Add(new_, GetParam());
  ASSERT_OK(old_.health().WaitForStreams(1));
  ASSERT_OK(new_.health().WaitForStreams(1));
  Remove(old_);
}

}  // namespace
}  // namespace kubelet_cm::dra
