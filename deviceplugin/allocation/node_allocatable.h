// The node's allocatable resources as the fit check of a pod with devices has to see them.
//
// Pure function.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NODE_ALLOCATABLE_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NODE_ALLOCATABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/btree_map.h"
#include "deviceplugin/allocation/device_ledger.h"

namespace kubelet_cm::deviceplugin {

using ResourceCounts = absl::btree_map<std::string, int64_t>;

// `allocatable` with every device resource raised to the number of its devices that are taken, so that pods that have
// their devices fit while the plugin is away. Nothing if it stays as it is: the pod has no entry, or nothing is too
// low.
std::optional<ResourceCounts> RaisedAllocatable(std::string_view pod_uid, const DeviceLedger& ledger,
                                                const ResourceCounts& allocatable);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NODE_ALLOCATABLE_H_
