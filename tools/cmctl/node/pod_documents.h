// PodDocuments: the pods of a manifest, one text each, as the control API takes them.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_POD_DOCUMENTS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_POD_DOCUMENTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace kubelet_cm::cmctl {

struct PodDocuments {
  std::vector<std::string> pods;
  std::vector<std::string> passed_over;  // kinds of the other objects, in their order
};

// JSON or YAML, one document or many, lists taken apart. A single pod is handed on as it stands, so that what is said
// of it names its lines. InvalidArgument for what is no manifest, or has no pod in it. Pure function.
absl::StatusOr<PodDocuments> SplitPods(const std::string& text);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_POD_DOCUMENTS_H_
