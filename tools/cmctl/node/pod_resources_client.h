// PodResourcesClient: the seam to the podresources API, of this project's daemon or of any kubelet.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_POD_RESOURCES_CLIENT_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_POD_RESOURCES_CLIENT_H_

#include <string>

#include "absl/status/statusor.h"
#include "kubelet_cm/podresources/api/v1.pb.h"

namespace kubelet_cm::cmctl {

// Used by one thread. Calls block; errors have the server's code and message.
class PodResourcesClient {
 public:
  PodResourcesClient() = default;
  PodResourcesClient(const PodResourcesClient&) = delete;
  PodResourcesClient& operator=(const PodResourcesClient&) = delete;
  virtual ~PodResourcesClient() = default;

  virtual absl::StatusOr<::v1::ListPodResourcesResponse> List() = 0;
  // What v1alpha1 says, which has less, in the messages of v1. Kubelets of before 1.20 serve nothing else.
  virtual absl::StatusOr<::v1::ListPodResourcesResponse> ListV1Alpha1() = 0;
  virtual absl::StatusOr<::v1::GetPodResourcesResponse> Get(const std::string& namespace_name,
                                                            const std::string& name) = 0;
  virtual absl::StatusOr<::v1::AllocatableResourcesResponse> Allocatable() = 0;
};

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_POD_RESOURCES_CLIENT_H_
