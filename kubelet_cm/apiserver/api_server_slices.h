// ApiServerSlices: the ResourceSlices and the node of an API server.
//
// Thread-safe.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_SLICES_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_SLICES_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "dra/plugin/slice_client.h"
#include "kubelet_cm/apiserver/resource_api.h"

namespace kubelet_cm::apiserver {

class ApiServerSlices : public dra::SliceClient {
 public:
  // `api` outlives this.
  ApiServerSlices(ResourceApi& api, std::string node_name) : api_(api), node_name_(std::move(node_name)) {}

  absl::StatusOr<std::string> CheckNode(absl::Duration timeout) override;
  absl::Status DeleteSlices(const dra::SliceSelector& which, absl::Duration timeout) override;

  // Those with models are of v1alpha2, whatever else the server has.
  absl::StatusOr<std::vector<dra::ModelSlice>> ListModelSlices(absl::Duration timeout) override;
  absl::Status CreateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) override;
  absl::Status UpdateModelSlice(const dra::ModelSlice& slice, absl::Duration timeout) override;
  absl::Status DeleteModelSlice(const std::string& name, absl::Duration timeout) override;

 private:
  CallLimits Limits(absl::Duration timeout) const;

  ResourceApi& api_;
  const std::string node_name_;
};

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_API_SERVER_SLICES_H_
