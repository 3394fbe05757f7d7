#include "dra/driver_calls.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "checkpointmanager/checkpoint_manager.h"
#include "common/clock/fake_clock.h"
#include "common/filesystem/fake_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/random/seeded_random.h"
#include "common/status/status_matchers.h"
#include "common/threads/real_threads.h"
#include "dra/claim/claim_samples.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"

namespace kubelet_cm::dra {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Answers every claim with one device, and remembers what it was asked.
class RecordingClient : public DraClient {
 public:
  absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) override {
    return Answer(claims, timeout);
  }
  absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) override {
    return Answer(claims, timeout);
  }
  absl::StatusOr<bool> WaitForConnectionChange(bool known) override { return !known; }
  void Disconnect() override {}

  std::vector<ClaimRef> asked;
  std::vector<absl::Duration> limits;
  std::string cdi_device_id = "vendor.com/class=dev";

 private:
  absl::StatusOr<ClaimAnswers> Answer(Claims claims, absl::Duration timeout) {
    asked.assign(claims.begin(), claims.end());
    limits.push_back(timeout);
    ClaimAnswers answers;
    ClaimDevice device = SampleDevice("dev");
    device.cdi_device_ids.Set({cdi_device_id});
    for (const ClaimRef& claim : claims) answers[claim.id.uid].devices = {device};
    return answers;
  }
};

class GivenDrivers : public DriverDirectory {
 public:
  absl::StatusOr<std::shared_ptr<DraClient>> Find(std::string_view driver_name) const override {
    const auto found = clients.find(std::string(driver_name));
    if (found == clients.end()) return absl::NotFoundError("DRA driver is not registered");
    return found->second;
  }
  std::map<std::string, std::shared_ptr<RecordingClient>> clients;
};

class DriverCallsTest : public testing::Test {
 protected:
  DriverCallsTest() { drivers_.clients["gpu"] = std::make_shared<RecordingClient>(); }

  CallPlan Plan(const AllocatedClaim& claim) {
    const std::vector<AllocatedClaim> claims = {claim};
    MutexLock lock(&state_.mu);
    CallPlan plan = *state_.table.Reference(claims, "pod");
    state_.BeginAttempt(plan.attempt);
    return plan;
  }
  CallPlan PlanUnprepare() {
    MutexLock lock(&state_.mu);
    CallPlan plan = state_.table.BeginUnprepare("pod");
    state_.BeginAttempt(plan.attempt);
    return plan;
  }
  size_t Claims() {
    MutexLock lock(&state_.mu);
    return state_.table.claims().size();
  }

  FakeClock clock_;
  RealThreads threads_{clock_};
  FakeFileSystem disk_;
  SeededRandom random_{1};
  CapturingLogger log_;
  MetricsRegistry registry_;
  DraMetrics metrics_{registry_};
  std::unique_ptr<CheckpointManager> files_ = *CheckpointManager::New(disk_, random_, "/state");
  DraState state_{threads_, {}, {}};
  DraCheckpoint checkpoint_{*files_, threads_, state_, LatestPersonality(), {}};
  GivenDrivers drivers_;
  fakes::FakeClaimSource claims_;
  DraRules rules_;
  const DraParts parts_{.threads = threads_,
                        .log = log_,
                        .state = state_,
                        .checkpoint = checkpoint_,
                        .metrics = metrics_,
                        .drivers = drivers_,
                        .claims = claims_,
                        .rules = rules_};
};

TEST_F(DriverCallsTest, EveryCallHasTheTimeLimitOfTheKubelet) {
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
  rules_.call_timeout = absl::Seconds(10);
  ASSERT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  EXPECT_THAT(drivers_.clients["gpu"]->limits, ElementsAre(absl::Seconds(45), absl::Seconds(10)));
  EXPECT_EQ(Claims(), 0u);
}

TEST_F(DriverCallsTest, DriversOfBefore131AreToldOfTheirHandlesAndOfWhatTheyPrepared) {
  AllocatedClaim claim = SampleClaim("a");
  claim.driver_name = "gpu";
  claim.handles = {ResourceHandle{.driver_name = "gpu", .data = "42", .structured_data = {}}};
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(claim)));
  ASSERT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  ASSERT_THAT(drivers_.clients["gpu"]->asked, SizeIs(1));
  const ClaimRef& asked = drivers_.clients["gpu"]->asked[0];
  ASSERT_THAT(asked.handles, SizeIs(1));
  EXPECT_EQ(asked.handles[0].data, "42");
  EXPECT_THAT(asked.cdi_device_ids, ElementsAre("vendor.com/class=dev"));
}

TEST_F(DriverCallsTest, ADriverThatIsNotThereFailsAndTheOthersAreCalled) {
  const CallPlan plan = Plan(SampleClaim("a", {"away", "gpu"}));
  EXPECT_THAT(CallDrivers(parts_, DraCall::kPrepare, plan).message(), HasSubstr("is not registered"));
  EXPECT_THAT(drivers_.clients["gpu"]->asked, SizeIs(1));
  MutexLock lock(&state_.mu);
  EXPECT_EQ(state_.table.claims().Find("ns", "a")->drivers.at("gpu").phase, DriverPhase::kPrepared);
  EXPECT_EQ(state_.table.claims().Find("ns", "a")->drivers.at("away").phase, DriverPhase::kReferenced);
}

TEST_F(DriverCallsTest, DevicesThatMakeNoAnnotationFailThePrepareWhereThereAreAnnotations) {
  drivers_.clients["gpu"]->cdi_device_id = "no cdi name";
  rules_.annotations = AnnotationKey::kDriver;
  EXPECT_THAT(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))).message(),
              HasSubstr("CDI annotation failed"));
  rules_.annotations = std::nullopt;
  EXPECT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a"))));
}

TEST_F(DriverCallsTest, WithoutTheIntentFirstTheStateIsWrittenAfterEachDriver) {
  rules_.intent_first = false;
  rules_.parallel_calls = 1;
  drivers_.clients["nic"] = std::make_shared<RecordingClient>();
  ASSERT_OK(CallDrivers(parts_, DraCall::kPrepare, Plan(SampleClaim("a", {"gpu", "nic"}))));
  EXPECT_EQ(checkpoint_.counts().writes, 2u);
}

TEST_F(DriverCallsTest, APlanWithoutCallsIsDoneAtOnce) {
  EXPECT_OK(CallDrivers(parts_, DraCall::kUnprepare, PlanUnprepare()));
  EXPECT_THAT(drivers_.clients["gpu"]->asked, IsEmpty());
}

}  // namespace
}  // namespace kubelet_cm::dra
