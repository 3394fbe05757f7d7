#include "dra/claim_reconciler.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "dra/claim_unpreparation.h"
#include "dra/parallel_work.h"

namespace kubelet_cm::dra {

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

std::vector<std::string> ClaimReconciler::PodsThatAreGone() const {
  if (!active_pods_.SourcesReady()) return {};
  std::vector<std::string> pods;
  {
    const std::shared_ptr<const PodUids> active = active_pods_.Uids();
    MutexLock lock(&parts_.state.mu);
    pods = parts_.state.table.claims().PodsNotIn(*active);
  }
  // A pod is active before it references a claim: one that came since the first look is in this one.
  const std::shared_ptr<const PodUids> active = active_pods_.Uids();
  pods.erase(std::remove_if(pods.begin(), pods.end(), [&](const std::string& pod) { return active->contains(pod); }),
             pods.end());
  return pods;
}

void ClaimReconciler::RunOnce() {
  const std::vector<std::string> pods = PodsThatAreGone();
  RunInParallel(parts_.threads, pods.size(), parts_.rules.parallel_calls, [&](size_t i) { Unprepare(pods[i]); });
  if (!pods.empty()) options_.after_run();
}

void ClaimReconciler::Unprepare(const std::string& pod_uid) {
  if (stopping_) return;
  const absl::Status outcome = ClaimUnpreparation(parts_, pod_uid).Run();
  if (outcome.ok()) return;
  parts_.log.Info("Unpreparing pod resources in reconcile loop failed, will retry",
                  {{"podUID", pod_uid}, {"err", outcome}});
}

}  // namespace kubelet_cm::dra
