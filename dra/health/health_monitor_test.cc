#include "dra/health/health_monitor.h"

#include <atomic>
#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/filesystem/fault_plan.h"
#include "common/log/awaiting_logger.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/health/fake_health_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr char kDriver[] = "gpu.example.com";
constexpr HealthSourceId kOld = 1;
constexpr HealthSourceId kNew = 2;
constexpr char kSaved[] = "Saved health checkpoint";
constexpr char kEnded[] = "WatchResources health stream has ended";
constexpr HealthValue kHealthy = HealthValue::kHealthy;
constexpr HealthValue kUnhealthy = HealthValue::kUnhealthy;
constexpr absl::Duration kTick = absl::Nanoseconds(1);

HealthReport Of(const std::string& device, HealthValue health, const std::string& message = "") {
  return {.pool = "pool", .device = device, .health = health, .message = message};
}

class HealthMonitorTest : public ::testing::Test {
 protected:
  HealthMonitorTest() { Start(); }

  void Start(HealthMonitor::Options options = {}) {
    monitor_.reset();
    HealthRestore restored =
        RestoreHealth({.manager = *folder_.manager, .file_system = folder_.files, .clock = clock_}, log_);
    // Pod "pod-x" has device "x".
    const auto pods_using = [](absl::Span<const DeviceName> devices) {
      std::vector<std::string> pods;
      for (const DeviceName& device : devices) {
        if (device.device.size() == 1) pods.push_back("pod-" + device.device);
      }
      return pods;
    };
    monitor_ = std::make_unique<HealthMonitor>(HealthMonitor::Dependencies{.manager = *folder_.manager,
                                                                           .threads = threads_,
                                                                           .log = log_,
                                                                           .pod_updates = pods_,
                                                                           .pods_using = pods_using},
                                               options, std::move(restored));
  }
  void Add(HealthSourceId id, fakes::HealthFeed& feed) {
    monitor_->AddInstance({.id = id, .driver_name = kDriver}, std::make_unique<FakeHealthClient>(feed));
  }
  // Waits until pods have been told of, and says which.
  std::vector<std::string> Pods() { return pods_.WaitAndTake(MonotonicTime::InfiniteFuture()); }
  std::string Read(const std::string& device) {
    const DeviceCondition condition = monitor_->Read({kDriver, "pool", device});
    return condition.message.empty() ? condition.health : condition.health + ": " + condition.message;
  }
  std::string File() { return folder_.File("dra_health_state"); }
  bool AwaitFile(const std::string& part) {
    return log_.Await([&] { return File().find(part) != std::string::npos; });
  }
  // Waits until silence is waited for.
  bool AwaitTimeout(absl::Duration in) {
    const MonotonicTime when = clock_.MonotonicNow() + in + kTick;
    while (clock_.AwaitAlarms(1)) {
      if (clock_.NextAlarm() == when) return true;
      threads_.Yield();
    }
    return false;
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  harness::StateFolder folder_;
  AwaitingLogger log_;
  PodUpdates pods_{threads_};
  fakes::HealthFeed old_{threads_};
  fakes::HealthFeed new_{threads_};
  std::unique_ptr<HealthMonitor> monitor_;
};

TEST_F(HealthMonitorTest, WhatADriverSaysIsReadAndItsPodsAreTold) {
  Add(kOld, old_);
  old_.Publish({Of("a", kUnhealthy, "hot"), Of("b", kHealthy)});
  EXPECT_THAT(Pods(), ElementsAre("pod-a", "pod-b"));
  EXPECT_TRUE(log_.AwaitLine("Sending health update notification for pods"));
  EXPECT_EQ(Read("a"), "Unhealthy: hot");
  EXPECT_EQ(Read("b"), "Healthy");
  old_.Publish({Of("a", kHealthy), Of("b", kHealthy)});
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("c"), "Unknown");
}

TEST_F(HealthMonitorTest, WhatWasSaidIsKeptForTheNextStartWhenTheDriversAreDisconnected) {
  Add(kOld, old_);
  old_.Publish({Of("a", kUnhealthy, "hot")});
  ASSERT_TRUE(AwaitFile("hot"));
  monitor_->KeepWhatWasSaid();
  old_.EndAll(absl::CancelledError("disconnected"));
  ASSERT_TRUE(log_.AwaitLine(kEnded));
  monitor_->RemoveInstance(kOld);
  Start();
  EXPECT_EQ(Read("a"), "Unhealthy: hot");
}

TEST_F(HealthMonitorTest, ADeviceThatNobodyUsesIsNoReasonToTellAnybody) {
  Add(kOld, old_);
  old_.Publish({Of("unused", kHealthy)});
  ASSERT_TRUE(log_.AwaitLine("Health info changed, but no active pods found using the affected devices"));
  EXPECT_THAT(pods_.Take(), IsEmpty());
}

TEST_F(HealthMonitorTest, SilenceMakesADeviceUnknownWithoutAnyMessage) {
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy), {.pool = "pool", .device = "b", .health = kHealthy, .timeout_seconds = 5}});
  Pods();
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(5)));
  clock_.Advance(absl::Seconds(5) + kTick);
  EXPECT_THAT(Pods(), ElementsAre("pod-b"));
  EXPECT_EQ(Read("a"), "Healthy");
  EXPECT_EQ(Read("b"), "Unknown");
  EXPECT_TRUE(log_.Await([&] { return File().find("pool/b") == std::string::npos; }));
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(25) - kTick));
  clock_.Advance(absl::Seconds(25));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
}

TEST_F(HealthMonitorTest, ADriverThatRepeatsItselfInTimeIsNotSilent) {
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy)});
  Pods();
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(30)));
  clock_.Advance(absl::Seconds(20));
  old_.Publish({Of("a", kHealthy)});
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(30)));
  clock_.Advance(absl::Seconds(30));
  EXPECT_EQ(Read("a"), "Healthy");
  EXPECT_THAT(pods_.Take(), IsEmpty());
}

TEST_F(HealthMonitorTest, TheEndOfOneInstanceKeepsWhatTheOtherSaid) {
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy), Of("b", kHealthy)});
  Pods();
  Add(kNew, new_);
  new_.Publish({Of("a", kUnhealthy, "hot")});
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  monitor_->RemoveInstance(kOld);
  EXPECT_THAT(pods_.Take(), ElementsAre("pod-b"));
  EXPECT_EQ(Read("a"), "Unhealthy: hot");
  EXPECT_EQ(Read("b"), "Unknown");
}

TEST_F(HealthMonitorTest, AStreamThatEndsTakesItsWordBackUntilItIsThereAgain) {
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy)});
  Pods();
  old_.EndAll(absl::UnavailableError("Socket closed"));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Unknown");
  ASSERT_TRUE(log_.AwaitLine(kEnded));
  ASSERT_TRUE(clock_.AwaitAlarms(1));
  clock_.Advance(absl::Seconds(5));
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Healthy");
}

TEST_F(HealthMonitorTest, AnInstanceThatIsRemovedIsNotListenedToAnyMore) {
  Add(kOld, old_);
  ASSERT_OK(old_.WaitForStreams(1));
  monitor_->RemoveInstance(kOld);
  monitor_->RemoveInstance(kOld);
  old_.Publish({Of("a", kHealthy)});
  EXPECT_EQ(old_.stream_count(), 0);
  EXPECT_EQ(Read("a"), "Unknown");
}

TEST_F(HealthMonitorTest, WhatIsOddAboutAMessageIsLogged) {
  HealthReports reports(kMaxHealthDevices + 1, Of("", kHealthy));
  for (size_t i = 0; i < reports.size(); ++i) reports[i].device = "dev-" + std::to_string(i);
  reports.front().timeout_seconds = -1;
  reports.front().message = std::string(2000, 'x');
  reports.push_back(Of("", kHealthy));
  Add(kOld, old_);
  old_.Publish(reports);
  ASSERT_TRUE(log_.AwaitLine("Cut health messages that are too long"));
  EXPECT_THAT(
      log_.lines(),
      Contains(AllOf(IsLogLine(Severity::kError, "Ignoring device health beyond the limit of devices of a driver"),
                     HasLogField("pluginName", kDriver), HasLogField("ignored", "1"))));
  EXPECT_EQ(log_.Count("Ignoring negative health check timeout, using default"), 1u);
  EXPECT_EQ(log_.Count("Ignoring health of devices without a name, or with one that is too long"), 1u);
  EXPECT_EQ(Read("dev-16383"), "Healthy");
  EXPECT_EQ(Read("dev-16384"), "Unknown");
}

TEST_F(HealthMonitorTest, WhatWasSaidSurvivesARestartUntilItTimesOut) {
  Add(kOld, old_);
  old_.Publish({Of("a", kUnhealthy, "hot")});
  ASSERT_TRUE(AwaitFile("hot"));
  Start();
  EXPECT_EQ(Read("a"), "Unhealthy: hot");
  pods_.Take();
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(30)));
  clock_.Advance(absl::Seconds(30) + kTick);
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_EQ(Read("a"), "Unknown");
}

TEST_F(HealthMonitorTest, TheFileIsThatOfTheKubelet) {
  Start({.format = HealthFormat::k134});
  Add(kOld, old_);
  old_.Publish({Of("a", kUnhealthy, "hot")});
  ASSERT_TRUE(log_.AwaitLine(kSaved));
  EXPECT_EQ(File(),
            R"({"gpu.example.com":{"Devices":{"pool/a":{"PoolName":"pool","DeviceName":"a","Health":"Unhealthy",)"
            R"("LastUpdated":"2026-01-01T00:00:00Z"}}}})");
}

TEST_F(HealthMonitorTest, In134ThereWereNoTimeLimitsAndUntil135NoMessages) {
  HealthReport hot = Of("a", kUnhealthy, "hot");
  hot.timeout_seconds = 100;
  for (const HealthFormat format : {HealthFormat::k134, HealthFormat::k135, HealthFormat::k136}) {
    Start({.format = format});
    Add(kOld, old_);
    old_.Publish({hot});
    ASSERT_TRUE(AwaitTimeout(absl::Seconds(format == HealthFormat::k134 ? 30 : 100)));
    EXPECT_EQ(monitor_->Read({kDriver, "pool", "a"}).message, format == HealthFormat::k136 ? "hot" : "");
    clock_.Advance(absl::Hours(1));
  }
}

TEST_F(HealthMonitorTest, ARepetitionIsNoReasonToWrite) {
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy)});
  ASSERT_TRUE(log_.AwaitLine(kSaved));
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(30)));
  clock_.Advance(absl::Seconds(10));
  old_.Publish({Of("a", kHealthy)});
  ASSERT_TRUE(AwaitTimeout(absl::Seconds(30)));
  EXPECT_EQ(log_.Count(kSaved), 1u);
}

TEST_F(HealthMonitorTest, AFileThatCannotBeWrittenStopsNothingAndIsTriedWithTheNextChange) {
  folder_.faults.Arm({.ops = {FileOp::kRename}, .error = EIO});
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy)});
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  ASSERT_TRUE(log_.AwaitLine(
      "Failed to save health checkpoint after update. Kubelet restart may lose the device health information."));
  EXPECT_EQ(Read("a"), "Healthy");
  old_.Publish({Of("a", kUnhealthy, "hot")});
  EXPECT_THAT(Pods(), ElementsAre("pod-a"));
  EXPECT_TRUE(AwaitFile("hot"));
}

TEST_F(HealthMonitorTest, AFileThatCannotBeReadIsSetAsideAndTheStartIsEmpty) {
  ASSERT_OK(folder_.manager->Write(kHealthStateKey, "{"));
  Start();
  EXPECT_EQ(Read("a"), "Unknown");
  Add(kOld, old_);
  old_.Publish({Of("a", kHealthy)});
  EXPECT_TRUE(AwaitFile("pool/a"));
  EXPECT_EQ(folder_.File("dra_health_state.corrupt-20260101T000000Z"), "{");
}

TEST_F(HealthMonitorTest, AMonitorIsDestroyedWhileStreamsHangAndForgetsNothing) {
  Add(kOld, old_);
  Add(kNew, new_);
  old_.Publish({Of("a", kHealthy)});
  ASSERT_TRUE(AwaitFile("pool/a"));
  Pods();
  monitor_.reset();
  EXPECT_THAT(File(), HasSubstr("pool/a"));
  EXPECT_THAT(pods_.Take(), IsEmpty());
  EXPECT_EQ(old_.stream_count() + new_.stream_count(), 0);
}

// Many at once, for the sanitizers.
TEST_F(HealthMonitorTest, InstancesComeAndGoWhileOthersReadAndSpeak) {
  std::atomic<bool> over = false;
  std::vector<std::unique_ptr<Thread>> threads;
  threads.push_back(threads_.Start("speaking", [&] {
    for (int i = 0; !over; ++i) {
      old_.Publish({Of("a", i % 2 == 0 ? kHealthy : kUnhealthy, std::to_string(i))});
      new_.Publish({Of("a", kHealthy), Of("b", kHealthy)});
      threads_.Yield();
    }
  }));
  threads.push_back(threads_.Start("reading", [&] {
    while (!over) {
      EXPECT_THAT(Read("b"), Not(HasSubstr("Unhealthy")));
      pods_.Take();
    }
  }));
  threads.push_back(threads_.Start("time", [&] {
    while (!over) clock_.Advance(absl::Seconds(1));
  }));
  for (HealthSourceId id = 1; id <= 100; ++id) {
    Add(id, id % 2 == 0 ? old_ : new_);
    if (id > 2) monitor_->RemoveInstance(id - 2);
  }
  over = true;
  threads.clear();
}

}  // namespace
}  // namespace kubelet_cm::dra
