// Files device ids under the NUMA nodes of their devices, as an entry of the ledger and of the checkpoint has them.
//
// Pure functions.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NUMA_FILING_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NUMA_FILING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "deviceplugin/checkpoint/device_content.h"

namespace kubelet_cm::deviceplugin {

// The key for devices that tell of no node. (Kubelets of 1.20 to 1.22 take 0.)
inline constexpr int64_t kNoNumaNode = -1;

// The nodes of a device; none if it tells of none, nothing if there is no such device.
using NodesOfDevice = absl::FunctionRef<std::optional<absl::Span<const int>>(std::string_view id)>;

// Each id under every node of its device. Under `no_node` if it tells of none, or is not there any more: a plugin may
// drop a device while it allocates it. Lists keep the order of `ids`.
DevicesPerNuma FileByNumaNode(absl::Span<const std::string> ids, NodesOfDevice nodes_of, int64_t no_node = kNoNumaNode);

// The same devices filed anew. A device that is not there stays where it is; `complete` says whether there was none.
struct Refiled {
  DevicesPerNuma devices;
  bool complete = true;
};
Refiled RefileByNumaNode(const DevicesPerNuma& devices, NodesOfDevice nodes_of);

// The ids under all nodes: sorted, each once.
std::vector<std::string> SortedIds(const std::optional<DevicesPerNuma>& devices);
// The same without copies: they refer to `devices`.
std::vector<std::string_view> SortedIdViews(const std::optional<DevicesPerNuma>& devices);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_NUMA_FILING_H_
