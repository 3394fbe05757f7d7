// What can be seen of a daemon through its control API and its files, by those who have no other way into it.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SIGHT_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SIGHT_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "deviceplugin/api/v1beta1.pb.h"
#include "testing/harness/control_client.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

absl::StatusOr<Sight> LookAt(const harness::ControlClient& daemon);

// Whether what the daemon says of the resource is what its only plugin lists.
bool ShowsDevices(const ::kubeletcm::v1::NodeResourcesResponse& resources, const std::string& resource,
                  const ::v1beta1::ListAndWatchResponse& listed);
// Whether the device manager's state file has them.
bool HasDevices(const std::string& device_file, const std::string& resource,
                const ::v1beta1::ListAndWatchResponse& listed);
// How many devices of the resource it has.
size_t RegisteredCount(const std::string& device_file, const std::string& resource);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_SIGHT_H_
