// BenchPods: many active pods, of which one comes or goes at little cost. Thread-safe.
#ifndef KUBELET_CM_TOOLS_BENCH_BENCH_PODS_H_
#define KUBELET_CM_TOOLS_BENCH_BENCH_PODS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "common/node/active_pods.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class BenchPods : public ActivePods {
 public:
  bool SourcesReady() const override { return true; }
  std::shared_ptr<const PodUids> Uids() const override;
  uint64_t Departures() const override;
  void Add(const std::string& uid);
  void Remove(const std::string& uid);

 private:
  mutable Mutex mu_;
  PodUids uids_ ABSL_GUARDED_BY(mu_);
  uint64_t departures_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_BENCH_PODS_H_
