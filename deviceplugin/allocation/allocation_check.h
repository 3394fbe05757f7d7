// Whether a container needs devices of a resource: what kubelets ask themselves before they choose any.
//
// Pure function. Errors have upstream's texts.
#ifndef KUBELET_CM_DEVICEPLUGIN_ALLOCATION_ALLOCATION_CHECK_H_
#define KUBELET_CM_DEVICEPLUGIN_ALLOCATION_ALLOCATION_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "deviceplugin/allocation/device_ledger.h"

namespace kubelet_cm::deviceplugin {

// As it stands, our own.
struct AllocationCheckRules {
  // What a container holds has to be healthy still, and a resource without any healthy device is refused as that; since
  // 1.28. Before, nobody looked at a container that holds what it asks for.
  bool looks_at_held = true;
  // A container that runs has what it needs while not all pods are known; since 1.28.
  bool trusts_running = true;
  // And one that has an entry also later.
  bool trusts_running_entry = true;
};

struct AllocationQuestion {
  HolderKey holder;
  int64_t requested = 0;
  // What the container's entry has; nothing if there is no entry.
  std::optional<std::vector<std::string>> held;
  bool sources_ready = true;         // all pods are known
  bool container_running = false;    // it was found running when this process started
  bool resource_registered = false;  // known from a plugin or from the checkpoint, and not expired
  int64_t healthy_count = 0;         // 0 for a stopped endpoint
  AllocationCheckRules rules = {};
};

enum class AllocationNeed {
  kDevices,         // as many as requested
  kNothing,         // the container has them, or asks for none
  kNothingRunning,  // it runs since before the restart: it has what it needs, whatever the plugin says meanwhile
};

// `is_healthy` is asked for the held devices. FailedPrecondition: the request differs from what is held. NotFound: no
// such resource. Unavailable: no healthy device, or a held one is not. InvalidArgument: less than 0 requested.
absl::StatusOr<AllocationNeed> CheckAllocation(const AllocationQuestion& question,
                                               absl::FunctionRef<bool(std::string_view id)> is_healthy);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ALLOCATION_ALLOCATION_CHECK_H_
