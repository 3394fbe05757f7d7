// How pods, claims and states of the control API are named for people. Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_

#include <cstdint>
#include <string>

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

// A name as it is typed: NAME or NAMESPACE/NAME.
struct ObjectName {
  std::string namespace_name = {};
  std::string name = {};
};
// InvalidArgument for what is neither.
absl::StatusOr<ObjectName> ParseObjectName(const std::string& text, const std::string& default_namespace);

// The pod that is meant by a uid, NAME or NAMESPACE/NAME. NotFound says where else there is one of that name.
absl::StatusOr<::kubeletcm::v1::PodView> FindPod(const ::kubeletcm::v1::ListPodsResponse& pods, const std::string& text,
                                                 const std::string& default_namespace);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_NODE_NAMES_H_
