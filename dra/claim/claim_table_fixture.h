// ClaimTableFixture: a claim table with shortcuts for what happens to it, and what its state file holds.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_FIXTURE_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_FIXTURE_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "common/status/check.h"
#include "common/status/status_matchers.h"
#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {

inline const absl::Status kBroken = absl::UnavailableError("NodePrepareResources: broken");
inline const absl::Status kUnanswered = absl::AbortedError("no answer");

class ClaimTableFixture : public ::testing::Test {
 protected:
  CallPlan Reference(const std::vector<AllocatedClaim>& claims, const std::string& pod) {
    auto plan = table_.Reference(claims, pod);
    CHECK(plan.ok()) << plan.status();
    return *plan;
  }
  // Every call of the plan succeeds, each with a device that is named after its claim.
  void Prepare(const CallPlan& plan) {
    for (const auto& [driver, calls] : plan.calls) {
      for (const PlannedCall& call : calls) EXPECT_OK(table_.StorePrepared(call, {SampleDevice(call.claim.name)}));
    }
    table_.EndAttempt(plan.attempt, kUnanswered);
  }
  void Unprepare(const CallPlan& plan) {
    for (const auto& [driver, calls] : plan.calls) {
      for (const PlannedCall& call : calls) EXPECT_OK(table_.FinishUnprepare(call));
    }
    table_.EndAttempt(plan.attempt, kUnanswered);
  }
  const ClaimEntry& Entry(const std::string& name) const { return *table_.claims().Find("ns", name); }
  DriverPhase Phase(const std::string& name, const std::string& driver = "gpu") const {
    return Entry(name).drivers.at(driver).phase;
  }
  // As after a restart: what the state file holds, which is all changes in their order.
  ClaimList File() {
    for (ClaimChange& change : table_.TakeChanges()) {
      if (change.state.has_value()) {
        file_[change.key] = *change.state;
      } else {
        file_.erase(change.key);
      }
    }
    std::vector<ClaimState> states;
    for (const auto& [key, state] : file_) states.push_back(state);
    ClaimList list;
    list.Set(std::move(states));
    return list;
  }
  void Restart(ClaimTableOptions options = {}) {
    const ClaimList list = File();
    table_ = ClaimTable(options);
    table_.Restore(list);
  }

  ClaimTable table_{ClaimTableOptions{}};
  std::map<std::string, ClaimState> file_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_TABLE_FIXTURE_H_
