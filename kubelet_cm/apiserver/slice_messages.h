// ResourceSlices of resource.k8s.io/v1alpha2 as JSON, in both directions: what a kubelet of 1.30 listed and wrote.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_SLICE_MESSAGES_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_SLICE_MESSAGES_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::apiserver {

struct SliceNode {
  std::string name = {};
  std::string uid = {};
};

// Go's error if something has the wrong type; kInvalidArgument for what is no list of slices, or of ones without names.
absl::StatusOr<std::vector<dra::ModelSlice>> ParseSliceList(std::string_view json);

// A slice to be made, which the server names after the node and the driver. It belongs to the node: it goes when that
// does.
std::string NewSliceJson(const dra::ModelSlice& slice, const SliceNode& node);
// A slice that there is, with what the server said of it.
std::string SliceJson(const dra::ModelSlice& slice, const std::string& node_name);

// kInvalidArgument for what is no Node with a uid.
absl::StatusOr<std::string> ParseNodeUid(std::string_view json);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_SLICE_MESSAGES_H_
