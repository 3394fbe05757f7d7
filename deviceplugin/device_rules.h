// DeviceRules: how the device manager of a given kubelet goes about plugins, devices and pods. All that depends on a
// version in this folder is one of these.
//
// Plain values and a pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_DEVICE_RULES_H_
#define KUBELET_CM_DEVICEPLUGIN_DEVICE_RULES_H_

#include "common/personality/personality.h"
#include "deviceplugin/allocation/allocation_check.h"
#include "deviceplugin/allocation/reusable_devices.h"
#include "deviceplugin/inventory/device_inventory.h"

namespace kubelet_cm::deviceplugin {

// What becomes of a resource's plugin when another one registers at another socket.
enum class SecondPlugin {
  kServesBeside,   // both are there; since 1.37
  kSharesItsFate,  // both are there, and when either goes, the resource has lost its plugin; 1.25 to 1.36
  kTakesItsPlace,  // the first is disconnected; until 1.24
};

// Which pods hear that the health of a device is another.
enum class HealthNews {
  kAll,                     // those that hold it, also when it is not listed any more or its plugin is gone
  kOfListed,                // those that hold it, while it is listed; 1.37
  kOfListedByAnybodysName,  // those that hold a device of that id, be it of another resource; 1.31 to 1.36
  kNone,                    // until 1.30
};

// As it stands, our own.
struct DeviceRules {
  // Before 1.10 a resource goes with its plugin, and devices that are not healthy are not counted.
  InventoryRules inventory = {};
  AllocationCheckRules check = {};
  // An init container that a running one has followed counts as running; ours (k/k#138446).
  bool follows_init_containers = true;
  SecondPlugin second_plugin = SecondPlugin::kServesBeside;
  SidecarDevices sidecars = SidecarDevices::kItsOwn;
  HealthNews health_news = HealthNews::kAll;
  // A device whose plugin is gone, or that is not listed any more, is Unknown in its pod's status. In kubelets it keeps
  // its last health.
  bool shows_unknown = true;
  // That a departed pod's devices are free is a reason to write. In kubelets the next write for another reason has it.
  bool writes_collected = true;
  bool every_node_has_hints = false;   // also NUMA nodes without devices; until 1.35
  bool cdi_names = true;               // since 1.28
  bool late_only_if_active = true;     // at its start only an active pod gets devices that it lacks; since 1.24
  bool unhealthy_allocatable = false;  // PodResources shows devices of any health as allocatable; until 1.22
  bool starts_without_zeros = true;    // a limit of 0 is none when a container starts; since 1.21
  bool asks_preferred = true;          // GetPreferredAllocation; since 1.19
};

DeviceRules RulesOf(const Personality& kubelet);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_DEVICE_RULES_H_
