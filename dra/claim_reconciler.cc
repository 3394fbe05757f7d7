#include "dra/claim_reconciler.h"

#include <utility>

#include "dra/claim/claim_entry.h"
#include "dra/claim/claim_store.h"
#include "dra/claim_unpreparation.h"
#include "dra/parallel_work.h"

namespace kubelet_cm::dra {
namespace {

// Far more sets of drivers than any node has.
constexpr size_t kMostLanes = 64;

}  // namespace

ClaimReconciler::ClaimReconciler(const DraParts& parts, const ActivePods& active_pods, Options options)
    : parts_(parts),
      active_pods_(active_pods),
      options_(std::move(options)),
      stop_(parts_.threads, "end of the reconciler of claims") {
  if (options_.start) thread_ = parts_.threads.Start("dra-reconcile", [this] { Run(); });
}

ClaimReconciler::~ClaimReconciler() {
  stopping_ = true;
  stop_.Set();
  thread_.reset();
}

void ClaimReconciler::Run() {
  while (!stopping_ && parts_.checkpoint.PrepareNext()) {
  }
  while (!stopping_) {
    RunOnce();
    stop_.WaitFor(options_.interval);
  }
}

ClaimReconciler::Lanes ClaimReconciler::PodsThatAreGone() const {
  Lanes lanes;
  if (!active_pods_.SourcesReady()) return lanes;
  MutexLock lock(&parts_.state.mu);
  const ClaimStore& claims = parts_.state.table.claims();
  for (std::string& pod : claims.PodsNotIn(*active_pods_.Uids())) {
    absl::btree_set<std::string> drivers;
    for (const ClaimEntry* const claim : claims.ClaimsOf(pod)) {
      for (const auto& [name, driver] : claim->drivers) drivers.insert(name);
    }
    lanes[std::move(drivers)].push_back(std::move(pod));
  }
  return lanes;
}

void ClaimReconciler::RunOnce() {
  const Lanes lanes = PodsThatAreGone();
  if (lanes.empty()) return;
  std::vector<const std::vector<std::string>*> pods;
  for (const auto& [drivers, lane] : lanes) pods.push_back(&lane);
  const size_t most = parts_.rules.stops_at_failure ? 1 : kMostLanes;  // kubelets do one after the other
  RunInParallel(parts_.threads, pods.size(), most, [&](size_t i) { RunLane(*pods[i]); });
  options_.after_run();
}

void ClaimReconciler::RunLane(const std::vector<std::string>& pods) {
  std::atomic<bool> hangs = false;
  RunInParallel(parts_.threads, pods.size(), parts_.rules.parallel_calls, [&](size_t i) {
    if (hangs || stopping_) return;
    const bool late = absl::IsDeadlineExceeded(Unprepare(pods[i]));
    if (late && !parts_.rules.stops_at_failure) hangs = true;  // kubelets wait for each
  });
}

absl::Status ClaimReconciler::Unprepare(const std::string& pod_uid) {
  const absl::Status outcome = ClaimUnpreparation(parts_, pod_uid, &active_pods_).Run();
  if (!outcome.ok()) {
    parts_.log.Info("Unpreparing pod resources in reconcile loop failed, will retry",
                    {{"podUID", pod_uid}, {"err", outcome}});
  }
  return outcome;
}

}  // namespace kubelet_cm::dra
