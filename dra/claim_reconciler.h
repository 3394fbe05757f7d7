// ClaimReconciler: the thread that unprepares the claims of pods that are gone without anybody saying so: deleted by
// force, deleted while the process was down, or never started after their prepare failed.
//
// It looks at once, and then whenever the interval has passed since it was done; not before all sources of pods are
// ready. What fails is logged and tried again the next time.
#ifndef KUBELET_CM_DRA_CLAIM_RECONCILER_H_
#define KUBELET_CM_DRA_CLAIM_RECONCILER_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/node/active_pods.h"
#include "common/threads/event.h"
#include "common/threads/threads.h"
#include "dra/dra_parts.h"

namespace kubelet_cm::dra {

class ClaimReconciler {
 public:
  struct Options {
    absl::Duration interval = absl::Seconds(60);
    bool start = true;                        // the thread; kubelets until 1.30 had none
    std::function<void()> after_run = [] {};  // told on the thread, when there was something to do
  };

  // All of it outlives the object.
  ClaimReconciler(const DraParts& parts, const ActivePods& active_pods, Options options);
  // Ends the thread after the call that it is at.
  ~ClaimReconciler();
  ClaimReconciler(const ClaimReconciler&) = delete;
  ClaimReconciler& operator=(const ClaimReconciler&) = delete;

  // What the thread does each time, now; for any thread that holds no lock.
  void RunOnce();

 private:
  void Run();
  // Pods by the drivers of their claims. A driver that hangs holds up the pods of its own lane only.
  using Lanes = absl::btree_map<absl::btree_set<std::string>, std::vector<std::string>>;

  // Those that reference a claim and are not active; none as long as that is not known.
  Lanes PodsThatAreGone() const;
  // Whatever is left when a driver does not answer in time waits for the next run: it would take as long again.
  void RunLane(const std::vector<std::string>& pods);
  absl::Status Unprepare(const std::string& pod_uid);

  const DraParts& parts_;
  const ActivePods& active_pods_;
  const Options options_;
  Event stop_;
  std::atomic<bool> stopping_ = false;
  std::unique_ptr<Thread> thread_;  // uses all of the above; null: none
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_RECONCILER_H_
