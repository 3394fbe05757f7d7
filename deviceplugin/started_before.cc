#include "deviceplugin/started_before.h"

namespace kubelet_cm::deviceplugin {

bool StartedBefore(const NodeStart& node_start, const Pod& pod, std::string_view container_name,
                   bool follows_init_containers) {
  bool after = false;
  bool is_init = false;
  for (const Container& container : pod.containers) {
    if (container.name == container_name) {
      if (node_start.WasRunning(pod.uid, container.name)) return true;
      after = true;
      is_init = follows_init_containers && container.kind == ContainerKind::kInit;
    } else if (after && is_init && node_start.WasRunning(pod.uid, container.name)) {
      return true;
    }
  }
  return false;
}

}  // namespace kubelet_cm::deviceplugin
