// The gRPC services of the podresources API, v1 and v1alpha1, in front of a PodResourcesLister. Thread-safe: gRPC's
// threads call.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVICE_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVICE_H_

#include <memory>

#include "grpcpp/impl/service_type.h"
#include "kubelet_cm/podresources/call_gate.h"
#include "kubelet_cm/podresources/pod_resources_lister.h"

namespace kubelet_cm::podresources {

// What is given outlives the services; both share one gate.
std::unique_ptr<grpc::Service> NewPodResourcesService(PodResourcesLister& lister, CallGate& gate);
std::unique_ptr<grpc::Service> NewOldPodResourcesService(PodResourcesLister& lister, CallGate& gate);

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVICE_H_
