#include "deviceplugin/allocation/reusable_devices.h"

#include "absl/container/btree_set.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Before the containers after it start, as far as its devices go.
bool Ends(const Container& container, SidecarDevices sidecars) {
  if (container.kind == ContainerKind::kInit) return true;
  return container.kind == ContainerKind::kSidecar && sidecars == SidecarDevices::kForTheOthers;
}

}  // namespace

std::vector<std::string> ReusableDevices(const Pod& pod, const DeviceLedger& ledger, std::string_view resource,
                                         std::string_view container_name, SidecarDevices sidecars) {
  if (pod.FindContainer(container_name) == nullptr) return {};
  absl::btree_set<std::string> ended;
  absl::btree_set<std::string> in_use;
  bool is_before = true;
  for (const Container& container : pod.containers) {
    if (container.name == container_name) {
      is_before = false;
      continue;
    }
    const std::vector<std::string> held =
        ledger.HeldBy({.pod_uid = pod.uid, .container_name = container.name, .resource_name = std::string(resource)});
    if (!Ends(container, sidecars)) {
      // Also one that comes later: a container may be allocated for again when the others already are.
      in_use.insert(held.begin(), held.end());
    } else if (is_before) {
      ended.insert(held.begin(), held.end());
    }
  }
  std::vector<std::string> reusable;
  for (const std::string& id : ended) {
    if (!in_use.contains(id)) reusable.push_back(id);
  }
  return reusable;
}

}  // namespace kubelet_cm::deviceplugin
