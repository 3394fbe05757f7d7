// Pods of which only the managers' state files know: on a node whose pods somebody else admitted (a kubelet), or where
// the daemon's own record of pods is damaged.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_POD_ADOPTION_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_POD_ADOPTION_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "deviceplugin/device_manager.h"
#include "dra/dra_manager.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"

namespace kubelet_cm {

struct Adoption {
  size_t adopted = 0;
  std::vector<std::string> unsaved = {};  // uids of those adopted that cannot be names of files
};

// Makes a restored pod of each that holds a device or references a claim and is not in the table: with its uid and the
// containers that hold devices, for nobody knows more. They keep what they have until they are admitted again or
// removed. Durable when it returns, but for the unsaved. `claims` may be null. For the time before the sources of pods
// are ready.
absl::StatusOr<Adoption> AdoptUnknownPods(deviceplugin::DeviceManager& devices, dra::DraManager* claims, absl::Time now,
                                          PodTable& pods, PodStore& store);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_POD_ADOPTION_H_
