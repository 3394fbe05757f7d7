// A manager and drivers that talk over real unix sockets, on the real file system.
#include "dra/dra_stack.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock/real_clock.h"
#include "common/filesystem/posix_file_system.h"
#include "common/log/awaiting_logger.h"
#include "common/node/fake_active_pods.h"
#include "common/random/real_random.h"
#include "common/status/status_macros.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "common/unixsocket/short_temp_dir.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/fakes/fake_dra_driver.h"
#include "testing/fakes/fake_slice_client.h"
#include "testing/harness/dra_node.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using fakes::FakeDraDriver;
using harness::ClaimOf;
using harness::PodUsing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kDriver[] = "fake.example.com";

class DraStackTest : public ::testing::Test {
 protected:
  absl::Status Start(std::string_view kubelet = "latest", absl::Duration reconcile_interval = absl::Seconds(60)) {
    metrics_ = std::make_unique<MetricsRegistry>();
    auto stack = DraStack::New({.files = files_,
                                .random = random_,
                                .threads = threads_,
                                .log = log_,
                                .metrics = *metrics_,
                                .active_pods = pods_,
                                .pod_updates = pod_updates_,
                                .claims = claims_,
                                .slices = &slices_},
                               {.manager = {.folder = folder_.path(),
                                            .kubelet = *ParsePersonality(kubelet),
                                            .reconcile_interval = reconcile_interval}},
                               NodeStart());
    if (stack.ok()) stack_ = *std::move(stack);
    return stack.status();
  }
  // Serves, and registers as the plugin watcher has it register.
  std::unique_ptr<FakeDraDriver> RunDriver(DraApi api = DraApi::kV1, std::vector<DraHealthApi> health = {},
                                           std::vector<std::string> versions = {"v1.DRAPlugin"}) {
    auto driver = std::make_unique<FakeDraDriver>(
        FakeDraDriver::Dependencies{threads_, files_},
        FakeDraDriver::Options{.folder = folder_.path(), .api = api, .health_apis = std::move(health)});
    EXPECT_OK(driver->Start());
    EXPECT_OK(Register(*driver, versions));
    return driver;
  }
  absl::Status Register(const FakeDraDriver& driver, const std::vector<std::string>& versions = {"v1.DRAPlugin"}) {
    RETURN_IF_ERROR(stack_->watcher_handler().ValidatePlugin(kDriver, driver.socket_path(), versions));
    return stack_->watcher_handler().RegisterPlugin(kDriver, driver.socket_path(), versions);
  }
  // An active pod that uses a claim of the driver.
  Pod AddPod(const std::string& uid) {
    ClaimObject claim = ClaimOf("claim-" + uid, {kDriver});
    claim.driver_name = kDriver;  // as it was until 1.30
    claim.allocation->handles = {ResourceHandle{.driver_name = kDriver, .data = "42", .structured_data = {}}};
    claims_.Set(claim);
    claims_.Reserve("default", claim.id.name, uid);
    pods_.Add(uid);
    return PodUsing(uid, {claim.id.name});
  }
  // Once the driver is connected: a call before that fails at once.
  absl::Status Prepare(const Pod& pod) {
    absl::Status prepared;
    const auto connected = [&] { return (prepared = stack_->manager().PrepareResources(pod)).ok(); };
    return log_.Await(connected) ? absl::OkStatus() : prepared;
  }

  ShortTempDir folder_;
  PosixFileSystem files_;
  RealRandom random_;
  RealClock clock_;
  RealThreads threads_{clock_};
  AwaitingLogger log_;
  FakeActivePods pods_;
  PodUpdates pod_updates_{threads_};
  fakes::FakeClaimSource claims_;
  fakes::FakeSliceClient slices_{threads_};
  std::unique_ptr<MetricsRegistry> metrics_;
  std::unique_ptr<DraStack> stack_;
};

struct Generation {
  const char* kubelet;
  DraApi api;
  std::vector<std::string> versions;  // as the driver registers
};

class EveryGenerationTest : public DraStackTest, public ::testing::WithParamInterface<Generation> {};

TEST_P(EveryGenerationTest, APodsClaimIsPreparedAndUnprepared) {
  ASSERT_OK(Start(GetParam().kubelet));
  const auto driver = RunDriver(GetParam().api, {}, GetParam().versions);
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(driver->PreparedClaims(), ElementsAre("claim-pod-uid"));
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, stack_->manager().GetResources(pod, pod.containers[0]));
  EXPECT_GE(options.cdi_device_ids.size() + options.annotations.size(), 1u);
  ASSERT_OK(stack_->manager().UnprepareResources(pod));
  EXPECT_THAT(driver->PreparedClaims(), IsEmpty());
  EXPECT_FALSE(stack_->manager().PodMightNeedToUnprepare("pod"));
}

INSTANTIATE_TEST_SUITE_P(Generations, EveryGenerationTest,
                         ::testing::Values(Generation{"1.27", DraApi::kV1Alpha2, {"1.0.0"}},
                                           Generation{"1.28", DraApi::kV1Alpha3, {"1.0.0"}},
                                           Generation{"1.29", DraApi::kV1Alpha2, {"1.0.0"}},
                                           Generation{"1.30", DraApi::kV1Alpha3, {"1.0.0"}},
                                           Generation{"1.31", DraApi::kV1Alpha4, {"1.0.0"}},
                                           Generation{"1.32", DraApi::kV1Alpha4, {"v1alpha3.NodeService"}},
                                           Generation{"1.33", DraApi::kV1Beta1, {"v1beta1.DRAPlugin"}},
                                           Generation{"1.34", DraApi::kV1, {"v1.DRAPlugin"}},
                                           Generation{"latest", DraApi::kV1, {"v1.DRAPlugin", "v1beta1.DRAPlugin"}}),
                         [](const auto& test) {
                           std::string name = test.param.kubelet;
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return "As" + name;
                         });

TEST_F(DraStackTest, AKubeletWithoutDraIsRefused) {
  EXPECT_THAT(Start("1.20"), StatusIs(absl::StatusCode::kUnimplemented));
}

TEST_F(DraStackTest, AfterARestartTheDriverIsNotCalledForWhatItHasPrepared) {
  ASSERT_OK(Start());
  const auto driver = RunDriver();
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  stack_.reset();
  ASSERT_OK(Start());
  EXPECT_TRUE(stack_->manager().PodMightNeedToUnprepare("pod"));
  ASSERT_OK(Register(*driver));
  ASSERT_OK(Prepare(pod));
  EXPECT_EQ(driver->script().CallCount(DriverMethod::kPrepare), 1);
}

TEST_F(DraStackTest, AStackThatGoesDoesNotWaitForADriverThatHangs) {
  ASSERT_OK(Start("latest", absl::Milliseconds(1)));
  const auto driver = RunDriver();
  ASSERT_OK(Prepare(AddPod("pod")));
  driver->script().At(DriverMethod::kUnprepare, 1, {.held = true});
  pods_.Remove("pod");
  ASSERT_OK(driver->script().WaitForCall(DriverMethod::kUnprepare, 1));
  const MonotonicTime before = clock_.MonotonicNow();
  stack_.reset();
  EXPECT_LT(clock_.MonotonicNow() - before, kDraCallTimeout / 2) << "the call was cut";
}

TEST_F(DraStackTest, WhatADriverSaysOfADeviceIsInItsPodsStatus) {
  ASSERT_OK(Start());
  const auto driver = RunDriver(DraApi::kV1, {DraHealthApi::kV1}, {"v1.DRAPlugin", "v1.DRAResourceHealth"});
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  const auto health = [&] {
    const std::vector<ClaimStatus> statuses = stack_->ClaimStatuses(pod, pod.containers[0]);
    return statuses.empty() ? std::string() : statuses[0].resources[0].health;
  };
  EXPECT_EQ(health(), "Unknown");
  driver->health().Publish({{.pool = "pool", .device = "dev-0", .health = HealthValue::kUnhealthy}});
  EXPECT_THAT(pod_updates_.WaitAndTake(clock_.MonotonicNow() + absl::Seconds(30)), ElementsAre("pod"));
  EXPECT_EQ(health(), "Unhealthy");
}

TEST_F(DraStackTest, AStartWipesTheSlicesOfDriversOfBefore) {
  slices_.Publish("gone.example.com");
  ASSERT_OK(Start());
  ASSERT_OK(slices_.WaitForDeletes(1));
  EXPECT_THAT(slices_.Published(), IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
