// PodAdmission: whether a pod gets what it asks for, in the order of a kubelet: what the resources' NUMA nodes say is
// merged under the topology policy, and the devices are taken where that points; all containers of the pod, or nothing.
//
// Thread-safe; admissions of different pods run at the same time. A call waits for the plugins of that pod, with
// deadlines, and for one durable write.
#ifndef KUBELET_CM_KUBELET_CM_ADMISSION_POD_ADMISSION_H_
#define KUBELET_CM_KUBELET_CM_ADMISSION_POD_ADMISSION_H_

#include <optional>
#include <string>
#include <vector>

#include "common/clock/clock.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/node/hint_order.h"
#include "common/node/numa_mask.h"
#include "common/node/pod.h"
#include "common/node/topology_hint.h"
#include "common/node/topology_policy.h"
#include "deviceplugin/device_manager.h"
#include "deviceplugin/pod_allocation.h"

namespace kubelet_cm {

// Why a pod is refused, as a kubelet puts it into the pod's status.
struct Refusal {
  std::string reason;
  std::string message;

  friend bool operator==(const Refusal&, const Refusal&) = default;
};

class PodAdmission {
 public:
  // All of it outlives the admission.
  struct Dependencies {
    deviceplugin::DeviceManager& devices;
    const Clock& clock;
    Logger& log;
    MetricsRegistry& metrics;
  };
  struct Options {
    TopologyPolicy policy = TopologyPolicy::kNone;
    TopologyScope scope = TopologyScope::kContainer;
    std::vector<int> numa_nodes = {0};                 // the machine's, ascending
    std::optional<NumaDistances> prefer_closest = {};  // the policy option prefer-closest-numa-nodes
  };

  PodAdmission(const Dependencies& dependencies, Options options);

  // Nothing when the pod has its devices, which is durable then. `pod` is active. Refused, it holds nothing new.
  std::optional<Refusal> Admit(const Pod& pod);

 private:
  using Affinity = std::optional<NumaMask>;

  std::optional<Refusal> Allocate(const Pod& pod);
  // Nothing: these hints are not to be admitted.
  std::optional<Affinity> Decide(const ProviderHints& hints, const Pod& pod) const;

  deviceplugin::DeviceManager& devices_;
  const Clock& clock_;
  Logger& log_;
  const Options options_;
  Counter requests_;
  Counter errors_;
  Histogram duration_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_ADMISSION_POD_ADMISSION_H_
