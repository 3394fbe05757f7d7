// What the podresources socket of a daemon answers, each time over a connection of its own.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_POD_RESOURCES_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_POD_RESOURCES_H_

#include <string>

#include "absl/status/statusor.h"
#include "kubelet_cm/podresources/api/v1.pb.h"

namespace kubelet_cm::scenarios {

absl::StatusOr<::v1::ListPodResourcesResponse> AskForList(const std::string& socket);
// How many of so many, one after the other, a rate limit refuses. An error: one failed otherwise.
absl::StatusOr<int> CountRefusedLists(const std::string& socket, int calls);
// Of a pod in the namespace "default".
absl::StatusOr<::v1::GetPodResourcesResponse> AskForPod(const std::string& socket, const std::string& pod);
absl::StatusOr<::v1::AllocatableResourcesResponse> AskForAllocatable(const std::string& socket);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_POD_RESOURCES_H_
