// DraPartsFixture: what the operations of the DRA manager work with, without a manager; and drivers that remember what
// they were asked.
#ifndef KUBELET_CM_DRA_DRA_PARTS_FIXTURE_H_
#define KUBELET_CM_DRA_DRA_PARTS_FIXTURE_H_

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/clock/fake_clock.h"
#include "common/log/capturing_logger.h"
#include "common/metrics/registry.h"
#include "common/threads/real_threads.h"
#include "dra/claim/claim_samples.h"
#include "dra/dra_parts.h"
#include "gtest/gtest.h"
#include "testing/fakes/fake_claim_source.h"
#include "testing/harness/state_folder.h"

namespace kubelet_cm::dra {

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

class DraPartsFixture : public testing::Test {
 protected:
  DraPartsFixture() { drivers_.clients["gpu"] = std::make_shared<RecordingClient>(); }

  // Referenced by pod "pod".
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
  harness::StateFolder folder_;
  CapturingLogger log_;
  MetricsRegistry registry_;
  DraMetrics metrics_{registry_};
  DraState state_{threads_, {}, {}};
  DraCheckpoint checkpoint_{*folder_.manager, threads_, state_, LatestPersonality(), {}};
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

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_PARTS_FIXTURE_H_
