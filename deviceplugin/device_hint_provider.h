// DeviceHintProvider: on which NUMA nodes a container, or a pod, could get its devices; what the topology manager asks
// before anything is allocated.
//
// Thread-safe. No call waits: the sets of nodes are gone through without the state's lock.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_HINT_PROVIDER_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_HINT_PROVIDER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/log/logger.h"
#include "common/node/node_start.h"
#include "common/node/pod.h"
#include "common/node/topology_hint.h"
#include "deviceplugin/device_rules.h"
#include "deviceplugin/device_state.h"
#include "deviceplugin/leftover_collector.h"
#include "deviceplugin/topology/device_hints.h"
#include "deviceplugin/topology/hint_decision.h"
#include "deviceplugin/topology/pod_requests.h"

namespace kubelet_cm::deviceplugin {

class DeviceHintProvider {
 public:
  // What is referred to outlives the object.
  struct Dependencies {
    DeviceState& state;
    LeftoverCollector& leftovers;
    const NodeStart& node_start;
    Logger& log;
  };
  // `machine_nodes`: the machine's NUMA nodes, ascending.
  DeviceHintProvider(const Dependencies& dependencies, std::vector<int> machine_nodes, const DeviceRules& rules = {})
      : state_(dependencies.state),
        leftovers_(dependencies.leftovers),
        node_start_(dependencies.node_start),
        machine_nodes_(std::move(machine_nodes)),
        log_(dependencies.log),
        rules_(rules) {}

  // Of one container of the pod: with what it can take over from the init containers before it.
  ProviderHints ContainerHints(const Pod& pod, const Container& container);
  // Of all containers of the pod together.
  ProviderHints PodHints(const Pod& pod);

 private:
  // What the state says of one resource, taken out of it at one moment.
  struct Snapshot {
    std::string resource;
    int64_t requested = 0;
    std::shared_ptr<const DeviceList> devices;
    std::vector<std::string> available = {};
    std::vector<std::string> reusable = {};
    std::vector<std::string> held = {};
    bool runs = false;           // with these
    std::string container = {};  // empty: of the pod as a whole
  };
  Snapshot TakeSnapshot(const std::string& resource, int64_t requested) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(state_.mu);
  // Whether the pod's containers that ask for the resource run with what they hold of it, which is to be relied on.
  bool Runs(const Pod& pod, const std::string& resource) const;
  bool Runs(const Pod& pod, const Container& container) const;
  ProviderHints Decide(const Pod& pod, const std::vector<Snapshot>& snapshots) const;
  void LogDecision(const Pod& pod, const Snapshot& snapshot, HintReason reason) const;
  void LogUnknownNodes(const std::string& resource, absl::Span<const HintDevice> devices) const;

  DeviceState& state_;
  LeftoverCollector& leftovers_;
  const NodeStart& node_start_;
  const std::vector<int> machine_nodes_;
  Logger& log_;
  const DeviceRules rules_;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_HINT_PROVIDER_H_
