// FakeActivePods: active pods as a test says. Sources are ready from the start. Thread-safe.
#ifndef KUBELET_CM_COMMON_NODE_FAKE_ACTIVE_PODS_H_
#define KUBELET_CM_COMMON_NODE_FAKE_ACTIVE_PODS_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "common/node/active_pods.h"
#include "common/threads/mutex.h"

namespace kubelet_cm {

class FakeActivePods : public ActivePods {
 public:
  bool SourcesReady() const override;
  std::shared_ptr<const PodUids> Uids() const override;
  uint64_t Departures() const override;

  void SetSourcesReady(bool ready);
  void Add(const std::string& uid);
  void Remove(const std::string& uid);

 private:
  mutable Mutex mu_;
  uint64_t departures_ ABSL_GUARDED_BY(mu_) = 0;
  bool sources_ready_ ABSL_GUARDED_BY(mu_) = true;
  std::shared_ptr<const PodUids> uids_ ABSL_GUARDED_BY(mu_) = std::make_shared<PodUids>();
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_NODE_FAKE_ACTIVE_PODS_H_
