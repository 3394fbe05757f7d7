// A manager and drivers that talk over real unix sockets, on the real file system. dra_stack_test_restart is the same
// with a new stack after each preparation. Tests of slices have no such line: an API server's are not a stack's.
#include "dra/dra_stack.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_replace.h"
#include "common/status/status_matchers.h"
#include "dra/api/dra_api.h"
#include "dra/dra_stack_fixture.h"
#include "dra/slices/slice_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/harness/restart_twin.h"

namespace kubelet_cm::dra {
namespace {

using fakes::DriverMethod;
using fakes::FakeDraDriver;
using harness::ClaimOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr char kDriver[] = "fake.example.com";

class DraStackTest : public DraStackFixture {
 protected:
  // Serves and is registered.
  std::unique_ptr<FakeDraDriver> RunDriver(DraApi api = DraApi::kV1, std::vector<DraHealthApi> health = {},
                                           const std::vector<std::string>& versions = {"v1.DRAPlugin"}) {
    auto driver = Serve({.driver_name = kDriver, .api = api, .health_apis = std::move(health)});
    EXPECT_OK(Register(*driver, versions));
    return driver;
  }
  // An active pod that uses a claim of the driver.
  Pod AddPod(const std::string& uid) {
    ClaimObject claim = ClaimOf("claim-" + uid, {kDriver});
    claim.driver_name = kDriver;  // as it was until 1.30
    claim.allocation->handles = {ResourceHandle{.driver_name = kDriver, .data = "42", .structured_data = {}}};
    claims_.Set(claim);
    return DraStackFixture::AddPod(uid, {claim.id.name});
  }
  // Once the driver is connected: a call before that fails at once.
  absl::Status OnceConnected(absl::FunctionRef<absl::Status()> call) {
    absl::Status outcome;
    const auto is_through = [&] { return (outcome = call()).ok(); };
    return log_.Await(is_through) ? absl::OkStatus() : outcome;
  }
  absl::Status Prepare(const Pod& pod) {
    return OnceConnected([&] { return stack_->manager().PrepareResources(pod); });
  }
  // The driver registers with the new stack, too.
  void MaybeRestart(const FakeDraDriver& driver, const std::vector<std::string>& versions = {"v1.DRAPlugin"},
                    std::string_view kubelet = "latest") {
    if (!twin_.RestartsHere()) return;
    stack_.reset();
    ASSERT_OK(Start(kubelet));
    ASSERT_OK(Register(driver, versions));
  }
  absl::Status Unprepare(const Pod& pod) {
    return OnceConnected([&] { return stack_->manager().UnprepareResources(pod); });
  }

  harness::RestartTwin twin_;
};

struct Generation {
  const char* kubelet;
  DraApi api;
  std::vector<std::string> versions;  // as the driver registers
  const char* failure;                // of an RPC, as it is told
};
constexpr char kUntil127[] = "NodePrepareResource failed, claim UID: claim-pod-uid, claim name: claim-pod, ";
constexpr char kOneByOne[] = "NodePrepareResources failed for claim default/claim-pod: ";
constexpr char kUntil133[] = "NodePrepareResources failed: ";
constexpr char kNow[] = "prepare dynamic resources: NodePrepareResources: ";

class EveryGenerationTest : public DraStackTest, public ::testing::WithParamInterface<Generation> {
 protected:
  void StartKubelet() { ASSERT_OK(Start(GetParam().kubelet)); }
  std::unique_ptr<FakeDraDriver> RunItsDriver() { return RunDriver(GetParam().api, {}, GetParam().versions); }
};

TEST_P(EveryGenerationTest, APodsClaimIsPreparedAndAfterARestartUnprepared) {
  StartKubelet();
  const auto driver = RunItsDriver();
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  EXPECT_THAT(driver->PreparedClaims(), ElementsAre("claim-pod-uid"));
  stack_.reset();
  StartKubelet();
  ASSERT_OK_AND_ASSIGN(const ClaimRunOptions options, stack_->manager().GetResources(pod, pod.containers[0]));
  EXPECT_THAT(options.cdi_device_ids, ElementsAre("example.com/fake=claim-pod-uid"));
  ASSERT_OK(Register(*driver, GetParam().versions));
  ASSERT_OK(Unprepare(pod));
  EXPECT_THAT(driver->PreparedClaims(), IsEmpty());
  EXPECT_FALSE(stack_->manager().PodMightNeedToUnprepare("pod"));
}

TEST_P(EveryGenerationTest, ADriverThatDiesWhileItPreparesHasFailedAndIsCalledAgain) {
  StartKubelet();
  const auto driver = RunItsDriver();
  driver->script().At(DriverMethod::kPrepare, 1, {.act = fakes::DriverAct::kDie});
  const Pod pod = AddPod("pod");
  absl::Status failed;
  const auto called = [&] {
    failed = stack_->manager().PrepareResources(pod);
    return driver->script().CallCount(DriverMethod::kPrepare) > 0;
  };
  ASSERT_TRUE(log_.Await(called)) << failed;
  EXPECT_THAT(std::string(failed.message()), AllOf(StartsWith(GetParam().failure), HasSubstr("rpc error: code = ")));
  ASSERT_OK(driver->WaitUntilDown());
  ASSERT_OK(driver->Start());
  ASSERT_OK(Prepare(pod));
  MaybeRestart(*driver, GetParam().versions, GetParam().kubelet);
  EXPECT_THAT(driver->PreparedClaims(), ElementsAre("claim-pod-uid"));
  EXPECT_EQ(driver->script().CallCount(DriverMethod::kPrepare), 2);
}

INSTANTIATE_TEST_SUITE_P(Generations, EveryGenerationTest,
                         ::testing::Values(Generation{"1.27", DraApi::kV1Alpha2, {"1.0.0"}, kUntil127},
                                           Generation{"1.28", DraApi::kV1Alpha3, {"1.0.0"}, kUntil133},
                                           Generation{"1.29", DraApi::kV1Alpha2, {"1.0.0"}, kOneByOne},
                                           Generation{"1.30", DraApi::kV1Alpha3, {"1.0.0"}, kUntil133},
                                           Generation{"1.31", DraApi::kV1Alpha4, {"1.0.0"}, kUntil133},
                                           Generation{"1.32", DraApi::kV1Alpha4, {"v1alpha3.NodeService"}, kUntil133},
                                           Generation{"1.33", DraApi::kV1Beta1, {"v1beta1.DRAPlugin"}, kUntil133},
                                           Generation{"1.34", DraApi::kV1, {"v1.DRAPlugin"}, kNow},
                                           Generation{"1.37", DraApi::kV1, {"v1.DRAPlugin"}, kNow},
                                           Generation{"latest", DraApi::kV1Alpha4, {"v1alpha3.NodeService"}, kNow},
                                           Generation{"latest", DraApi::kV1Beta1, {"v1beta1.DRAPlugin"}, kNow},
                                           Generation{
                                               "latest", DraApi::kV1, {"v1.DRAPlugin", "v1beta1.DRAPlugin"}, kNow}),
                         [](const auto& test) {
                           std::string name = test.param.kubelet;
                           for (char& c : name) c = c == '.' ? '_' : c;
                           return "As" + name + "With" + std::string(ApiName(test.param.api));
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
  const MonotonicTime before = machine_.clock.MonotonicNow();
  stack_.reset();
  EXPECT_LT(machine_.clock.MonotonicNow() - before, kDraCallTimeout / 2) << "the call was cut";
}

TEST_F(DraStackTest, WhatADriverSaysOfADeviceIsInItsPodsStatus) {
  ASSERT_OK(Start());
  const auto driver = RunDriver(DraApi::kV1, {DraHealthApi::kV1}, {"v1.DRAPlugin", "v1.DRAResourceHealth"});
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  MaybeRestart(*driver, {"v1.DRAPlugin", "v1.DRAResourceHealth"});
  const auto health = [&] {
    const std::vector<ClaimStatus> statuses = stack_->ClaimStatuses(pod, pod.containers[0]);
    return statuses.empty() ? std::string() : statuses[0].resources[0].health;
  };
  EXPECT_EQ(health(), "Unknown");
  driver->health().Publish({{.pool = "pool", .device = "dev-0", .health = HealthValue::kUnhealthy}});
  EXPECT_THAT(machine_.pod_updates.WaitAndTake(machine_.clock.MonotonicNow() + absl::Seconds(30)), ElementsAre("pod"));
  EXPECT_EQ(health(), "Unhealthy");
}

TEST_F(DraStackTest, WhereHealthIsNotAskedForAPodsStatusHasNothingOfIt) {
  ASSERT_OK(Start("1.33"));
  const auto driver = RunDriver(DraApi::kV1Beta1, {}, {"v1beta1.DRAPlugin"});
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  MaybeRestart(*driver, {"v1beta1.DRAPlugin"}, "1.33");
  EXPECT_THAT(stack_->ClaimStatuses(pod, pod.containers[0]), IsEmpty());
}

TEST_F(DraStackTest, WhatADriverSaidIsKnownToTheNextStackBeforeTheDriverIsBack) {
  ASSERT_OK(Start());
  const auto driver = RunDriver(DraApi::kV1, {DraHealthApi::kV1}, {"v1.DRAPlugin", "v1.DRAResourceHealth"});
  const Pod pod = AddPod("pod");
  ASSERT_OK(Prepare(pod));
  driver->health().Publish({{.pool = "pool", .device = "dev-0", .health = HealthValue::kUnhealthy}});
  ASSERT_TRUE(log_.AwaitLine("Saved health checkpoint"));
  const auto health = [&] {
    const std::vector<ClaimStatus> statuses = stack_->ClaimStatuses(pod, pod.containers[0]);
    return statuses.empty() ? std::string() : statuses[0].resources[0].health;
  };
  stack_->DisconnectDrivers();
  ASSERT_TRUE(log_.AwaitLine("Clearing health cache for driver upon stream exit"));
  EXPECT_EQ(health(), "Unhealthy");
  stack_.reset();
  ASSERT_OK(Start());
  EXPECT_EQ(health(), "Unhealthy");
}

TEST_F(DraStackTest, AStartWipesTheSlicesOfDriversOfBefore) {
  slices_.Publish("gone.example.com");
  ASSERT_OK(Start());
  ASSERT_OK(slices_.WaitForDeletes(1));
  EXPECT_THAT(slices_.Published(), IsEmpty());
}

class PublishingKubeletTest : public DraStackFixture {
 protected:
  // Serves and is registered, as drivers of 1.30 were.
  std::unique_ptr<FakeDraDriver> RunDriver(bool tells_models = true) {
    auto driver = Serve({.driver_name = kDriver, .api = DraApi::kV1Alpha3, .tells_models = tells_models});
    EXPECT_OK(Register(*driver, {"1.0.0"}));
    return driver;
  }
};

TEST_F(PublishingKubeletTest, As130WhatADriverHasIsInSlicesWhileItIsRegistered) {
  ASSERT_OK(Start("1.30"));
  const auto driver = RunDriver();
  driver->models().Publish({ModelOf("a"), ModelOf("b")});
  ASSERT_OK(slices_.WaitForModelCalls("create ", 2));
  EXPECT_THAT(ShownSlices(slices_.ModelSlices()), ElementsAre("fake.example.com: a", "fake.example.com: b"));
  driver->models().Publish({ModelOf("b"), ModelOf("c")});
  ASSERT_OK(slices_.WaitForModelCalls("update ", 1));
  EXPECT_THAT(ShownSlices(slices_.ModelSlices()), ElementsAre("fake.example.com: c", "fake.example.com: b"));
  stack_->watcher_handler().DeregisterPlugin(driver->name(), driver->socket_path());
  ASSERT_OK(slices_.WaitForModelCalls("delete ", 2));
  EXPECT_THAT(slices_.ModelSlices(), IsEmpty());
  EXPECT_EQ(log_.Count("Adding plugin"), 1u);
}

TEST_F(PublishingKubeletTest, ADriverThatDoesNotKnowTheMethodHasNoSlices) {
  slices_.PutModelSlice({.name = "old", .driver_name = kDriver, .model = ModelOf("a")});
  ASSERT_OK(Start("1.30"));
  const auto driver = RunDriver(/*tells_models=*/false);
  ASSERT_OK(slices_.WaitForModelCalls("delete old", 1));
  EXPECT_THAT(slices_.ModelSlices(), IsEmpty());
}

TEST_F(PublishingKubeletTest, ADriverThatIsUpdatedHasItsSlicesUpdatedAndNotMadeAnew) {
  ASSERT_OK(Start("1.30"));
  const auto driver = RunDriver();
  driver->models().Publish({ModelOf("a")});
  ASSERT_OK(slices_.WaitForModelCalls("create ", 1));
  const auto updated =
      Serve({.driver_name = kDriver, .socket_name = "new.sock", .api = DraApi::kV1Alpha3, .tells_models = true});
  ASSERT_OK(Register(*updated, {"1.1.0"}));
  updated->models().Publish({ModelOf("b")});
  ASSERT_OK(slices_.WaitForModelCalls("update ", 1));
  EXPECT_THAT(ShownSlices(slices_.ModelSlices()), ElementsAre("fake.example.com: b"));
  EXPECT_THAT(slices_.ModelCalls(), Not(Contains(StartsWith("delete "))));
}

class NotPublishingKubeletTest : public PublishingKubeletTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(NotPublishingKubeletTest, NoOtherKubeletAsksDriversWhatTheyHave) {
  ASSERT_OK(Start(GetParam()));
  const auto driver = RunDriver();
  EXPECT_EQ(log_.Count("Registered DRA plugin"), 1u);
  EXPECT_EQ(log_.Count("Adding plugin"), 0u);
}

INSTANTIATE_TEST_SUITE_P(Kubelets, NotPublishingKubeletTest, ::testing::Values("1.28", "1.29", "1.31"),
                         [](const auto& test) {
                           return "As" + absl::StrReplaceAll(test.param, {{".", "_"}});
                         });

}  // namespace
}  // namespace kubelet_cm::dra
