// PodResourcesLister: the answers of the podresources API, as messages and without gRPC.
//
// Pods are in the source's order; within a container everything is sorted. Differs from upstream's on purpose: a
// claim's devices have their own CDI names and are those that the container asked for, a device without NUMA nodes is
// listed as one without topology, and the error counters count.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_LISTER_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_LISTER_H_

#include <string>

#include "absl/status/status.h"
#include "common/log/logger.h"
#include "kubelet_cm/podresources/api/v1.pb.h"
#include "kubelet_cm/podresources/api/v1alpha1.pb.h"
#include "kubelet_cm/podresources/pod_resources_metrics.h"
#include "kubelet_cm/podresources/pod_resources_rules.h"
#include "kubelet_cm/podresources/pod_resources_source.h"

namespace kubelet_cm::podresources {

// Thread-safe. Waits for nothing.
class PodResourcesLister {
 public:
  // All of it outlives the object.
  struct Dependencies {
    PodResourcesSource& source;
    PodResourcesMetrics& metrics;
    Logger& log;
  };

  PodResourcesLister(const Dependencies& dependencies, const PodResourcesRules& rules)
      : deps_(dependencies), rules_(rules) {}

  // Responses are empty messages. Errors are as a kubelet words them, for grpc::Status: kUnimplemented when the
  // emulated one has no such method, and kUnknown otherwise.
  void List(::v1::ListPodResourcesResponse* response);
  absl::Status GetAllocatable(::v1::AllocatableResourcesResponse* response);
  absl::Status Get(const ::v1::GetPodResourcesRequest& request, ::v1::GetPodResourcesResponse* response);
  void ListOld(::v1alpha1::ListPodResourcesResponse* response);

 private:
  class ClaimErrors;

  void AddPod(const Pod& pod, ::v1::PodResources* message, ClaimErrors& errors);
  void AddContainer(const Pod& pod, const Container& container, ::v1::ContainerResources* message, ClaimErrors& errors);

  const Dependencies deps_;
  const PodResourcesRules rules_;
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_LISTER_H_
