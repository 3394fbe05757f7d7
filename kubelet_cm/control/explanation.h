// Why a pod was refused, why a claim is stuck, who holds a resource: findings and advice made of what the control API
// shows.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_CONTROL_EXPLANATION_H_
#define KUBELET_CM_KUBELET_CM_CONTROL_EXPLANATION_H_

#include <string>

#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm {

// What is known of the node at one moment.
struct NodePicture {
  ::kubeletcm::v1::ListPodsResponse pods;
  ::kubeletcm::v1::NodeResourcesResponse resources;
  ::kubeletcm::v1::ListClaimsResponse claims;
  ::kubeletcm::v1::ListPluginsResponse plugins;
};

// `pod` is one of the picture's, and so is the claim.
::kubeletcm::v1::ExplainResponse ExplainPod(const NodePicture& node, const ::kubeletcm::v1::PodView& pod);
::kubeletcm::v1::ExplainResponse ExplainClaim(const NodePicture& node,
                                              const ::kubeletcm::v1::ListClaimsResponse::Claim& claim);
// Also of a resource that nobody knows.
::kubeletcm::v1::ExplainResponse ExplainResource(const NodePicture& node, const std::string& resource);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_CONTROL_EXPLANATION_H_
