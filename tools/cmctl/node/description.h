// Everything that is known of one thing, for people: `cmctl describe`. Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_DESCRIPTION_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_DESCRIPTION_H_

#include <string>

#include "absl/time/time.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::cmctl {

std::string DescribePod(const ::kubeletcm::v1::PodView& pod, absl::Time now);
std::string DescribeClaim(const ::kubeletcm::v1::ListClaimsResponse::Claim& claim);
std::string DescribeResource(const ::kubeletcm::v1::NodeResourcesResponse::Resource& resource);
std::string DescribePlugin(const ::kubeletcm::v1::ListPluginsResponse::Plugin& plugin);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_DESCRIPTION_H_
