// LeftoverCollector: frees what pods hold that are no longer active.
//
// Asked before anything is allocated or listed, and free of cost unless a pod has departed since the last time. Before
// all sources of pods are ready nothing is left over: a pod that is missing may still come. What is freed is written by
// whoever writes next, or, unless a kubelet is emulated that leaves it at that, by the housekeeper.
//
// Thread-safe. No call waits.
#ifndef KUBELET_CM_DEVICEPLUGIN_LEFTOVER_COLLECTOR_H_
#define KUBELET_CM_DEVICEPLUGIN_LEFTOVER_COLLECTOR_H_

#include <cstdint>
#include <optional>

#include "absl/base/thread_annotations.h"
#include "common/log/logger.h"
#include "common/node/active_pods.h"
#include "common/threads/mutex.h"
#include "deviceplugin/device_rules.h"
#include "deviceplugin/device_state.h"

namespace kubelet_cm::deviceplugin {

class LeftoverCollector {
 public:
  // What is given outlives the collector.
  LeftoverCollector(const ActivePods& pods, DeviceState& state, Logger& log, const DeviceRules& rules = {})
      : pods_(pods), state_(state), log_(log), is_written_(rules.writes_collected) {}

  // True if something was freed.
  bool Collect() ABSL_LOCKS_EXCLUDED(mu_);

  // For whoever has given something to a pod that had departed before: its departure may have been seen already.
  void LookAgain() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  // What makes something left over; both grow.
  struct Occasions {
    uint64_t departures = 0;
    uint64_t late = 0;  // calls of LookAgain
  };

  Occasions Now() ABSL_LOCKS_EXCLUDED(mu_);
  bool Seen(const Occasions& now) ABSL_LOCKS_EXCLUDED(mu_);
  void SetSeen(const Occasions& now) ABSL_LOCKS_EXCLUDED(mu_);

  const ActivePods& pods_;
  DeviceState& state_;
  Logger& log_;
  const bool is_written_;

  Mutex mu_;
  uint64_t late_ ABSL_GUARDED_BY(mu_) = 0;
  // Those whose leftovers are collected.
  std::optional<Occasions> seen_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_LEFTOVER_COLLECTOR_H_
