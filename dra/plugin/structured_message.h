// The structured data of a resource handle, as Kubernetes 1.30 sent it to drivers. A plain function, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_STRUCTURED_MESSAGE_H_
#define KUBELET_CM_DRA_PLUGIN_STRUCTURED_MESSAGE_H_

#include "dra/api/structured_handle.pb.h"
#include "dra/checkpoint/structured_handle.h"

namespace kubelet_cm::dra {

// As Go's code wrote it: the parts of a handle are there even when they are empty.
k8s::io::api::resource::v1alpha2::StructuredResourceHandle ToMessage(const StructuredHandle& handle);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_STRUCTURED_MESSAGE_H_
