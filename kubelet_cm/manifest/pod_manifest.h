// PodManifest: a pod as a manifest or a request has it: what the device stack has to know (common/node/pod.h), and what
// the sources of pods look at. A plain value.
#ifndef KUBELET_CM_KUBELET_CM_MANIFEST_POD_MANIFEST_H_
#define KUBELET_CM_KUBELET_CM_MANIFEST_POD_MANIFEST_H_

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "common/node/pod.h"

namespace kubelet_cm {

struct PodManifest {
  Pod pod = {};                  // without a uid if the manifest has none; its namespace is "default" then
  std::string node_name = {};    // spec.nodeName
  std::string phase = {};        // status.phase
  bool being_deleted = false;    // it has a deletionTimestamp
  std::string fingerprint = {};  // another for another content, comments and white space aside

  friend bool operator==(const PodManifest&, const PodManifest&) = default;
};

// What a kubelet makes of a pod that comes from a file: its name gets the node's name behind it, and a uid that is
// missing is made from the content and the node, the same every time. InvalidArgument if no object can have that name.
absl::StatusOr<PodManifest> AsStaticPod(PodManifest manifest, std::string_view node_name);

// The uid for a pod that has none.
std::string UidFromContent(const PodManifest& manifest, std::string_view node_name);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFEST_POD_MANIFEST_H_
