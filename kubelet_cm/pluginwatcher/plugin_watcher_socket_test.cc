// The plugin watcher with inotify, real sockets and a DRA driver, in front of the registry of drivers.
// plugin_watcher_socket_test_restart is the same with a new watcher and a new registry once a driver was registered.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/folderwatch/inotify_watches.h"
#include "common/log/awaiting_logger.h"
#include "common/personality/personality.h"
#include "common/random/real_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "common/unixsocket/silent_socket.h"
#include "dra/plugin/connect_driver.h"
#include "dra/plugin/driver_registry.h"
#include "dra/plugin/watcher_handler.h"
#include "kubelet_cm/pluginwatcher/grpc_registration_client.h"
#include "kubelet_cm/pluginwatcher/plugin_watcher.h"
#include "kubelet_cm/pluginwatcher/stack_handlers.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::pluginwatcher {
namespace {

using fakes::DriverCall;
using fakes::DriverMethod;
using fakes::FakeDraDriver;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

constexpr char kRegistered[] = "Plugin registered";
constexpr char kGone[] = "Unregistered DRA plugin";

class PluginWatcherSocketTest : public ::testing::Test {
 protected:
  // What stands behind the watcher.
  struct Stack {
    Stack(Threads& threads, Logger& log, Random& random)
        : registry({.threads = threads,
                    .log = log,
                    .random = random,
                    .kubelet = LatestPersonality(),
                    .connect = dra::ConnectOverSockets(nullptr)}) {}

    dra::DriverRegistry registry;
    dra::WatcherHandler registration{registry};
    DraPluginHandler handler{registration};
  };

  std::unique_ptr<PluginWatcher> Watch(const PluginWatcher::Options& extra = {}) {
    PluginWatcher::Options options = extra;
    options.folder = folder_.File("reg");
    auto watcher = PluginWatcher::New(
        {.files = files_,
         .watches = watches_,
         .threads = threads_,
         .log = log_,
         .metrics = metrics_,
         .handlers = {{std::string(dra::WatcherHandler::kType), &stack_->handler}},
         .make_client = [](const std::string& path) { return std::make_unique<GrpcRegistrationClient>(path); }},
        options);
    EXPECT_OK(watcher);
    return *std::move(watcher);
  }
  std::unique_ptr<FakeDraDriver> Driver(const std::string& name, std::vector<std::string> versions = {}) {
    return std::make_unique<FakeDraDriver>(FakeDraDriver::Dependencies{threads_, files_},
                                           FakeDraDriver::Options{.driver_name = name,
                                                                  .folder = folder_.path(),
                                                                  .socket_name = name + ".sock",
                                                                  .registration_folder = folder_.File("reg"),
                                                                  .supported_versions = std::move(versions)});
  }
  static auto Registered(bool registered, const std::string& error) {
    return IsOkAndHolds(AllOf(Field(&DriverCall::registered, registered), Field(&DriverCall::error, error)));
  }
  // The driver, which is registered, is found by the next one.
  void MaybeRestart(std::unique_ptr<PluginWatcher>& watcher, FakeDraDriver& driver) {
    if (!twin_.RestartsHere()) return;
    const size_t registered = log_.Count(kRegistered);
    const int told = driver.script().CallCount(DriverMethod::kNotify);
    watcher.reset();
    stack_.emplace(threads_, log_, random_);
    watcher = Watch();
    ASSERT_THAT(driver.script().WaitForCall(DriverMethod::kNotify, told + 1), Registered(true, ""));
    ASSERT_TRUE(log_.AwaitLine(kRegistered, registered + 1));
  }

  RealClock clock_;
  RealThreads threads_{clock_};
  PosixFileSystem files_;
  InotifyWatches watches_{clock_};
  RealRandom random_;
  AwaitingLogger log_;
  MetricsRegistry metrics_;
  ShortTempDir folder_;
  harness::RestartTwin twin_;
  std::optional<Stack> stack_{std::in_place, threads_, log_, random_};
};

TEST_F(PluginWatcherSocketTest, ADriverIsRegisteredWhenItComesAndDeregisteredWhenItGoes) {
  std::unique_ptr<PluginWatcher> watcher = Watch();
  const auto driver = Driver("d.example.com");
  ASSERT_OK(driver->Start());
  EXPECT_THAT(driver->script().WaitForCall(DriverMethod::kNotify, 1), Registered(true, ""));
  ASSERT_TRUE(log_.AwaitLine(kRegistered));
  EXPECT_OK(stack_->registry.Find("d.example.com"));
  EXPECT_THAT(driver->script().Calls(), ElementsAre(Field(&DriverCall::method, DriverMethod::kGetInfo),
                                                    Field(&DriverCall::method, DriverMethod::kNotify)));
  MaybeRestart(watcher, *driver);
  EXPECT_OK(stack_->registry.Find("d.example.com"));
  const size_t gone = log_.Count(kGone);
  driver->Stop();
  ASSERT_TRUE(log_.AwaitLine(kGone, gone + 1));
  EXPECT_FALSE(stack_->registry.Find("d.example.com").ok());
}

TEST_F(PluginWatcherSocketTest, ADriverThatWasThereBeforeIsFound) {
  const auto driver = Driver("d.example.com");
  ASSERT_OK(driver->Start());
  std::unique_ptr<PluginWatcher> watcher = Watch();
  EXPECT_THAT(driver->script().WaitForCall(DriverMethod::kNotify, 1), Registered(true, ""));
  ASSERT_TRUE(log_.AwaitLine(kRegistered));
  MaybeRestart(watcher, *driver);
}

TEST_F(PluginWatcherSocketTest, ADriverThatCrashedAndCameBackIsRegisteredAgain) {
  std::unique_ptr<PluginWatcher> watcher = Watch();
  const auto driver = Driver("d.example.com");
  ASSERT_OK(driver->Start());
  EXPECT_OK(driver->script().WaitForCall(DriverMethod::kNotify, 1));
  ASSERT_TRUE(log_.AwaitLine(kRegistered));
  MaybeRestart(watcher, *driver);
  const int told = driver->script().CallCount(DriverMethod::kNotify);
  const size_t registered = log_.Count(kRegistered);
  driver->Kill();
  ASSERT_OK(driver->Start());
  EXPECT_THAT(driver->script().WaitForCall(DriverMethod::kNotify, told + 1), Registered(true, ""));
  ASSERT_TRUE(log_.AwaitLine(kRegistered, registered + 1));
  EXPECT_OK(stack_->registry.Find("d.example.com"));
}

TEST_F(PluginWatcherSocketTest, ADriverThatSpeaksNothingKnownIsToldSoAndTriedAgain) {
  const auto watcher = Watch();
  const auto driver = Driver("d.example.com", {"v9.DRAPlugin"});
  ASSERT_OK(driver->Start());
  const auto told = driver->script().WaitForCall(DriverMethod::kNotify, 1);
  ASSERT_OK(told);
  EXPECT_FALSE(told->registered);
  EXPECT_THAT(told->error, HasSubstr("RegisterPlugin error -- plugin validation failed with err: "));
  EXPECT_OK(driver->script().WaitForCall(DriverMethod::kNotify, 2));
}

TEST_F(PluginWatcherSocketTest, ADriverWhoseEndpointIsOutsideIsRefusedWhenTheyAreConfined) {
  const auto watcher = Watch({.confine_endpoints_to = folder_.File("plugins")});
  const auto driver = Driver("d.example.com");
  ASSERT_OK(driver->Start());
  const auto told = driver->script().WaitForCall(DriverMethod::kNotify, 1);
  ASSERT_OK(told);
  EXPECT_THAT(told->error, HasSubstr("is outside: plugins' endpoints must be below"));
}

TEST_F(PluginWatcherSocketTest, AWatcherThatGoesDoesNotWaitForPluginsThatHang) {
  ASSERT_OK(files_.MakeFolders(folder_.File("reg"), 0750));
  const SilentSocket silent(folder_.File("reg/silent.sock"));
  const auto watcher = Watch();
  ASSERT_TRUE(log_.AwaitLine("OperationExecutor.RegisterPlugin started"));
  const MonotonicTime begun = clock_.MonotonicNow();
  watcher->Stop();
  EXPECT_LT(clock_.MonotonicNow() - begun, absl::Seconds(5));
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher
