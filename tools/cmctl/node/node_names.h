// How pods, claims and states of the control API are named for people. Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "kubelet_cm/api/control.pb.h"

namespace kubelet_cm::cmctl {

// "default/web"; the uid for a pod that nobody knows by name.
std::string PodText(const ::kubeletcm::v1::PodReference& pod);

// "Admitted".
std::string StateText(::kubeletcm::v1::PodState state);

// How long ago, as kubectl has it: "42s", "3m20s", "5h", "12d". Empty for what has no time.
std::string AgeText(int64_t unix_nanos, absl::Time now);

// "2026-11-18T17:36:38Z".
std::string TimeText(int64_t unix_nanos);

// What `get -o name` prints: "device/example.com/gpu/dev-0".
std::string KindName(std::string_view kind, std::string_view name);

// The names of devices and plugins: "example.com/gpu/dev-0", "example.com/gpu@ENDPOINT".
std::string DeviceId(std::string_view resource, std::string_view device);
std::string PluginId(const ::kubeletcm::v1::ListPluginsResponse::Plugin& plugin);

// Whether somebody who typed `typed` means the thing of that kind and name: its name, or what -o name prints of it.
bool Means(std::string_view typed, std::string_view kind, std::string_view name);

// What somebody typed for a pod or a claim, and the namespace of a name without one; empty: default.
struct TypedName {
  std::string text = {};
  std::string namespace_name = {};
};

// A name with its namespace.
struct ObjectName {
  std::string namespace_name = {};
  std::string name = {};
};
// Of NAME, NAMESPACE/NAME or KIND/NAMESPACE/NAME. InvalidArgument for what is none of these.
absl::StatusOr<ObjectName> ParseObjectName(std::string_view kind, const TypedName& typed);

// The pods and claims that are meant by a uid, a name, or what -o name prints. At least one: NotFound says where else
// there is one of that name.
absl::StatusOr<std::vector<::kubeletcm::v1::PodView>> FindPods(const ::kubeletcm::v1::ListPodsResponse& pods,
                                                               const TypedName& typed);
absl::StatusOr<std::vector<::kubeletcm::v1::ListClaimsResponse::Claim>> FindClaims(
    const ::kubeletcm::v1::ListClaimsResponse& claims, const TypedName& typed);

// The one that is meant. InvalidArgument, and who they are, if it may be one of several.
absl::StatusOr<::kubeletcm::v1::PodView> FindPod(const ::kubeletcm::v1::ListPodsResponse& pods, const TypedName& typed);
absl::StatusOr<::kubeletcm::v1::ListClaimsResponse::Claim> FindClaim(const ::kubeletcm::v1::ListClaimsResponse& claims,
                                                                     const TypedName& typed);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_
