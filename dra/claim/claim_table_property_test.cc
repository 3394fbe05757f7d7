// Random lives of a node: pods prepare shared claims and end, calls succeed, fail or lose their answer, the kubelet
// dies at any moment. After every step, and in the end:
//
//   C1  every claim for which a prepare may have been sent is unprepared after its last pod is gone;
//   C2  no unprepare is sent while a pod uses the claim, nor for another claim under its name;
//   C3  no prepare is sent where its success is known, and none beside another call for the same claim and driver;
//   C4  a restart alone changes nothing in the file; what it takes for prepared is prepared.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/node/active_pods.h"
#include "common/random/seeded_random.h"
#include "dra/claim/claim_samples.h"
#include "dra/claim/claim_table.h"
#include "gtest/gtest.h"

namespace kubelet_cm::dra {
namespace {

constexpr int kSteps = 400;
constexpr int kSeeds = 60;

using Part = std::pair<std::string, std::string>;  // a claim's uid and a driver

struct Call {
  PlannedCall planned;
  bool prepares;
};

class Node {
 public:
  explicit Node(uint64_t seed) : random_(seed) {}

  void Step() {
    switch (random_.Below(12)) {
      case 0:
      case 1:
        return StartPod(absl::StrCat("pod-", ++last_pod_));
      case 2:
        return RetryPod();
      case 3:
      case 4:
        return EndPod();
      case 5:
        return Unprepare();
      case 6:
        return random_.Below(4) == 0 ? Restart() : Flush();
      case 7:
        return Flush();
      default:
        return AnswerOne();
    }
  }

  // Everybody ends, and the drivers are well.
  void WindDown() {
    users_.clear();
    lossless_ = true;
    while (table_.claims().size() > 0) {
      while (!on_the_way_.empty()) AnswerOne();
      Unprepare();
    }
    EXPECT_TRUE(may_be_prepared_.empty());
    Flush();
    EXPECT_TRUE(file_.empty());
  }

 private:
  AllocatedClaim RandomClaim() {
    const uint64_t number = random_.Below(4);
    AllocatedClaim claim = SampleClaim(absl::StrCat("c", number), {"d0"});
    if (number % 2 == 1) claim.drivers["d1"];
    claim.id.uid = absl::StrCat("uid-", number, "-", incarnations_[number] += random_.Below(20) == 0);
    return claim;
  }

  void StartPod(const std::string& pod) {
    wanted_[pod] = {RandomClaim(), RandomClaim()};
    TryPod(pod);
  }

  void TryPod(const std::string& pod) {
    const auto plan = table_.Reference(wanted_[pod], pod);
    if (!plan.ok()) return;
    for (const AllocatedClaim& claim : wanted_[pod]) users_[claim.id.uid].insert(pod);
    Send(*plan, true);
  }

  void RetryPod() {
    if (wanted_.empty()) return;
    TryPod(std::next(wanted_.begin(), static_cast<int>(random_.Below(wanted_.size())))->first);
  }

  void EndPod() {
    if (wanted_.empty()) return;
    const auto pod = std::next(wanted_.begin(), static_cast<int>(random_.Below(wanted_.size())));
    for (auto& [claim, pods] : users_) pods.erase(pod->first);
    wanted_.erase(pod);
  }

  // Of a pod that has ended, as the reconcile loop does.
  void Unprepare() {
    PodUids active;
    if (!lossless_) {
      for (const auto& [pod, claims] : wanted_) active.insert(pod);
    }
    const std::vector<std::string> left = table_.claims().PodsNotIn(active);
    if (left.empty()) return;
    Send(table_.BeginUnprepare(left[random_.Below(left.size())]), false);
  }

  void Send(const CallPlan& plan, bool prepares) {
    if (plan.attempt == 0) return;
    Flush();  // the intent comes first
    for (const auto& [driver, calls] : plan.calls) {
      for (const PlannedCall& call : calls) {
        const Part part{call.claim.uid, driver};
        EXPECT_TRUE(busy_.insert(part).second) << "two calls at once";
        if (prepares) {
          EXPECT_FALSE(known_.contains(part)) << "prepared twice";
          may_be_prepared_.insert(part);
        } else {
          EXPECT_TRUE(users_[call.claim.uid].empty()) << "unprepared while in use";
          known_.erase(part);
        }
        on_the_way_.push_back({call, prepares});
      }
    }
  }

  // What the driver does, whether it is answered or not.
  void Effect(const Call& call) {
    const Part part{call.planned.claim.uid, call.planned.driver};
    if (call.prepares) {
      prepared_.insert(part);
    } else {
      prepared_.erase(part);
      may_be_prepared_.erase(part);
    }
  }

  void AnswerOne() {
    if (on_the_way_.empty()) return;
    const size_t index = random_.Below(on_the_way_.size());
    const Call call = on_the_way_[index];
    on_the_way_.erase(on_the_way_.begin() + static_cast<int>(index));
    const Part part{call.planned.claim.uid, call.planned.driver};
    busy_.erase(part);
    const uint64_t fate = lossless_ ? 0 : random_.Below(6);
    if (fate != 1) Effect(call);  // 1: the driver fails, 2: its answer is lost, 3: the same, without a word
    const absl::Status lost = absl::UnavailableError("lost");
    if (fate == 1 || fate == 2) {
      EXPECT_TRUE(
          (call.prepares ? table_.FailPrepare(call.planned, lost) : table_.FailUnprepare(call.planned, lost)).ok());
    } else if (fate != 3 && call.prepares) {
      EXPECT_TRUE(table_.StorePrepared(call.planned, {SampleDevice("d")}).ok());
      known_.insert(part);
    } else if (fate != 3) {
      EXPECT_TRUE(table_.FinishUnprepare(call.planned).ok());
    }
    EndAttemptIfLast(call.planned.attempt);
  }

  void EndAttemptIfLast(AttemptId attempt) {
    for (const Call& call : on_the_way_) {
      if (call.planned.attempt == attempt) return;
    }
    table_.EndAttempt(attempt, absl::AbortedError("no answer"));
  }

  void Flush() {
    for (ClaimChange& change : table_.TakeChanges()) {
      if (change.state.has_value()) {
        file_[change.key] = *std::move(change.state);
      } else {
        file_.erase(change.key);
      }
    }
    std::erase_if(users_, [](const auto& user) { return user.second.empty(); });
    known_on_disk_ = known_;
    users_on_disk_ = users_;
  }

  void Restart() {
    for (const Call& call : on_the_way_) {
      if (random_.Below(2) == 0) Effect(call);
    }
    on_the_way_.clear();
    busy_.clear();
    std::erase_if(known_on_disk_, [&](const Part& part) { return !known_.contains(part); });
    known_ = known_on_disk_;
    for (auto& [claim, pods] : users_) {
      const std::set<std::string>& on_disk = users_on_disk_[claim];
      std::erase_if(pods, [&](const std::string& pod) { return !on_disk.contains(pod); });
    }
    std::vector<ClaimState> states;
    for (const auto& [key, state] : file_) states.push_back(state);
    ClaimList list;
    list.Set(std::move(states));
    table_ = ClaimTable({});
    table_.Restore(list);
    EXPECT_FALSE(table_.HasChanges());
    CheckWhatIsTrusted();
  }

  void CheckWhatIsTrusted() {
    for (const ClaimEntry* const entry : table_.claims().All()) {
      for (const auto& [name, driver] : entry->drivers) {
        if (driver.phase != DriverPhase::kPrepared) continue;
        EXPECT_TRUE(prepared_.contains({entry->id.uid, name})) << "taken for prepared, which it is not";
      }
    }
  }

  SeededRandom random_;
  ClaimTable table_{ClaimTableOptions{}};
  std::map<std::string, ClaimState> file_;
  uint64_t incarnations_[4] = {};
  int last_pod_ = 0;
  bool lossless_ = false;
  std::map<std::string, std::vector<AllocatedClaim>> wanted_;  // by the pods that have not ended
  std::map<std::string, std::set<std::string>> users_;         // of these, by claim
  std::map<std::string, std::set<std::string>> users_on_disk_;
  std::vector<Call> on_the_way_;
  std::set<Part> busy_;
  std::set<Part> may_be_prepared_;  // as far as anybody can know
  std::set<Part> prepared_;         // as the driver knows
  std::set<Part> known_;            // as the kubelet was told
  std::set<Part> known_on_disk_;
};

TEST(ClaimTablePropertyTest, InvariantsHoldInRandomLives) {
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Node node(seed);
    for (int step = 0; step < kSteps; ++step) node.Step();
    node.WindDown();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace kubelet_cm::dra
