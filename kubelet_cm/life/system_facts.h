// What the system says of the machine: its NUMA nodes, its boot, its name. Read from the files in which the kernel
// shows them, whose paths tests can set.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_SYSTEM_FACTS_H_
#define KUBELET_CM_KUBELET_CM_LIFE_SYSTEM_FACTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/node/hint_order.h"

namespace kubelet_cm::life {

// The folder with "online" and a folder "node<N>" for each node.
inline constexpr char kNumaFolder[] = "/sys/devices/system/node";

// "0-2,5" as {0, 1, 2, 5}; the kernel's form of a list. kInvalidArgument for what is none, or beyond 63.
absl::StatusOr<std::vector<int>> ParseNodeList(std::string_view text);

// The machine's NUMA nodes, ascending; {0} on a system that shows none.
absl::StatusOr<std::vector<int>> ReadNumaNodes(FileSystem& files, const std::string& folder = kNumaFolder);

// How far each of `nodes` is from the nodes 0, 1, 2 ... up to the last. A node that the system does not show is left
// out.
absl::StatusOr<NumaDistances> ReadNumaDistances(FileSystem& files, const std::vector<int>& nodes,
                                                const std::string& folder = kNumaFolder);

// The text in `path` (/proc/sys/kernel/random/boot_id): another one after every boot. kInvalidArgument when it is
// empty.
absl::StatusOr<std::string> ReadBootId(FileSystem& files, const std::string& path);

// This host's, as gethostname(2) has it; empty when it has none.
std::string HostName();

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_SYSTEM_FACTS_H_
