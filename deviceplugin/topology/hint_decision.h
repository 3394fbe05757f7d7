// What the device manager tells the topology manager of one resource of a container, or of a pod. A pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_HINT_DECISION_H_
#define KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_HINT_DECISION_H_

#include <string>

#include "absl/types/span.h"
#include "common/node/topology_hint.h"
#include "deviceplugin/topology/device_hints.h"

namespace kubelet_cm::deviceplugin {

// Why the hints are what they are, for whoever logs it.
enum class HintReason {
  kNoTopology,      // no device's place is known: no preference
  kRequestChanged,  // another number of devices is held than is requested: impossible
  kAlreadyHeld,     // hints for just the devices that are held, as after a restart
  kUnavailable,     // not enough devices are left: impossible
  kGenerated,       // hints for the devices that are available and reusable
};

struct HintDecision {
  HintReason reason;
  ResourceHints hints;
};

// `held`: the ids, sorted, each once, that the container already has of the resource; for a pod, those that its
// containers have together. `request.reusable` is for containers; for a pod it is left empty.
HintDecision DecideDeviceHints(const HintRequest& request, absl::Span<const std::string> held);

// How many ids two lists, each sorted and without repetitions, have together.
size_t UnionSize(absl::Span<const std::string> a, absl::Span<const std::string> b);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_TOPOLOGY_HINT_DECISION_H_
