// The DriverRegistry and drivers on real sockets; the time of the wiper alone is the test's.
// driver_registry_socket_test_restart is the same with a new registry in the middle, where drivers register again.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/clock/fake_clock.h"
#include "common/log/awaiting_logger.h"
#include "common/metrics/metric_value.h"
#include "common/personality/personality.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/plugin/driver_call_metrics.h"
#include "dra/plugin/driver_registry.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/fakes/fake_slice_client.h"
#include "testing/harness/real_machine.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using fakes::FakeDraDriver;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kDriver[] = "fake.example.com";
constexpr char kChange[] = "Connection changed";

class DriverRegistrySocketTest : public ::testing::Test {
 protected:
  DriverRegistrySocketTest() { StartRegistry(); }

  void StartRegistry() {
    registry_.emplace(DriverRegistry::Dependencies{.threads = threads_,
                                                   .log = log_,
                                                   .random = machine_.random,
                                                   .kubelet = LatestPersonality(),
                                                   .connect = ConnectOverSockets(&call_metrics_),
                                                   .slices = &slices_});
  }
  // The drivers that are there, which are connected, register again in this order.
  void MaybeRestart(const std::vector<FakeDraDriver*>& drivers) {
    if (!twin_.RestartsHere()) return;
    const size_t changes = log_.Count(kChange);
    registry_.reset();
    StartRegistry();
    const size_t ended = log_.Count(kChange);
    for (FakeDraDriver* driver : drivers) ASSERT_OK(Register(*driver));
    ASSERT_TRUE(log_.AwaitLine(kChange, ended + drivers.size()));
    of_restarts_ += log_.Count(kChange) - changes;
  }
  std::unique_ptr<FakeDraDriver> StartDriver(const std::string& socket) {
    auto driver = std::make_unique<FakeDraDriver>(
        FakeDraDriver::Dependencies{machine_.threads, machine_.files},
        FakeDraDriver::Options{.folder = machine_.folder.path(), .socket_name = socket});
    EXPECT_OK(driver->Start());
    return driver;
  }
  absl::Status Register(const FakeDraDriver& driver) {
    return registry_->Register(
        {.driver_name = kDriver, .endpoint = driver.socket_path(), .supported_versions = {"v1.DRAPlugin"}});
  }
  absl::Status Prepare() {
    const auto client = registry_->Find(kDriver);
    if (!client.ok()) return client.status();
    return (*client)->Prepare({{.id = {"ns", "claim", "uid"}}}, kDraCallTimeout).status();
  }
  // Until the connection has changed that many times, those that a restart brings left out.
  bool AwaitChanges(size_t count) { return log_.AwaitLine(kChange, of_restarts_ + count); }

  harness::RealMachine machine_;
  FakeClock clock_;
  RealThreads threads_{clock_};
  AwaitingLogger log_;
  DriverCallMetrics call_metrics_{machine_.metrics, machine_.clock};
  fakes::FakeSliceClient slices_{machine_.threads};
  harness::RestartTwin twin_;
  size_t of_restarts_ = 0;
  std::optional<DriverRegistry> registry_;
};

TEST_F(DriverRegistrySocketTest, DriverIsConnectedCalledAndMeasured) {
  const auto driver = StartDriver("a.sock");
  ASSERT_OK(Register(*driver));
  ASSERT_TRUE(AwaitChanges(1));
  MaybeRestart({driver.get()});
  EXPECT_OK(Prepare());
  EXPECT_THAT(driver->PreparedClaims(), ElementsAre("uid"));
  EXPECT_EQ(MetricValue(machine_.metrics, "dra_grpc_operations_duration_seconds",
                        {{"driver_name", kDriver},
                         {"method_name", "/k8s.io.kubelet.pkg.apis.dra.v1.DRAPlugin/NodePrepareResources"},
                         {"grpc_status_code", "OK"}}),
            1);
}

TEST_F(DriverRegistrySocketTest, DriverThatDiesAndComesBackIsConnectedAgainWithoutBeingCalled) {
  const auto driver = StartDriver("a.sock");
  ASSERT_OK(Register(*driver));
  ASSERT_TRUE(AwaitChanges(1));
  MaybeRestart({driver.get()});
  driver->Kill();
  ASSERT_TRUE(AwaitChanges(2));
  EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kUnavailable));
  ASSERT_OK(driver->Start());
  ASSERT_TRUE(AwaitChanges(3));
  EXPECT_OK(Prepare());
  MaybeRestart({driver.get()});
  EXPECT_OK(Prepare());
}

TEST_F(DriverRegistrySocketTest, DriverThatStaysAwayLosesItsSlicesAndOneThatReturnsKeepsThem) {
  ASSERT_OK(slices_.WaitForDeletes(1));  // of the start: a restart would remove them, too
  slices_.Publish(kDriver);
  const auto driver = StartDriver("a.sock");
  ASSERT_OK(Register(*driver));
  ASSERT_TRUE(AwaitChanges(1));
  driver->Kill();
  ASSERT_TRUE(AwaitChanges(2));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(29));
  ASSERT_OK(driver->Start());
  ASSERT_TRUE(AwaitChanges(3));
  clock_.Advance(absl::Hours(1));
  EXPECT_THAT(slices_.Published(), ElementsAre(kDriver));
  driver->Kill();
  ASSERT_TRUE(AwaitChanges(4));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(30));
  ASSERT_OK(slices_.WaitForDeletes(2));
  ASSERT_TRUE(log_.AwaitLine("Deleted ResourceSlices", 2));
  EXPECT_THAT(slices_.Published(), IsEmpty());
}

TEST_F(DriverRegistrySocketTest, RollingUpdateMovesTheCallsToTheNewInstanceAndBack) {
  const auto older = StartDriver("a.sock");
  const auto newer = StartDriver("b.sock");
  ASSERT_OK(Register(*older));
  ASSERT_OK(Register(*newer));
  ASSERT_TRUE(AwaitChanges(2));
  MaybeRestart({older.get(), newer.get()});
  EXPECT_OK(Prepare());
  newer->Kill();
  ASSERT_TRUE(AwaitChanges(3));
  EXPECT_OK(Prepare());
  EXPECT_EQ(newer->script().CallCount(DriverMethod::kPrepare), 1);
  EXPECT_EQ(older->script().CallCount(DriverMethod::kPrepare), 1);
}

TEST_F(DriverRegistrySocketTest, DeregistrationCutsACallThatIsUnderWay) {
  const auto driver = StartDriver("a.sock");
  driver->script().At(DriverMethod::kPrepare, 1, {.held = true});
  ASSERT_OK(Register(*driver));
  ASSERT_TRUE(AwaitChanges(1));
  MaybeRestart({driver.get()});
  const auto calling =
      machine_.threads.Start("calling", [&] { EXPECT_THAT(Prepare(), StatusIs(absl::StatusCode::kCancelled)); });
  ASSERT_OK(driver->script().WaitForCall(DriverMethod::kPrepare, 1));
  registry_->Deregister(kDriver, driver->socket_path());
  EXPECT_FALSE(registry_->Find(kDriver).ok());
}

TEST_F(DriverRegistrySocketTest, RegistrationsDisconnectsAndLookupsAtOnce) {
  const auto driver = StartDriver("a.sock");
  const auto calling = machine_.threads.Start("calling", [&] {
    for (int i = 0; i < 100; ++i) (void)Prepare();
  });
  const auto dying = machine_.threads.Start("dying", [&] {
    for (int i = 0; i < 5; ++i) {
      driver->Kill();
      EXPECT_OK(driver->Start());
    }
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_OK(Register(*driver));
    registry_->Deregister(kDriver, driver->socket_path());
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
