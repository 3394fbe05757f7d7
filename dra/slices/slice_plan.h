// SlicePlan: what is to be done so that the slices of a driver are what the driver says that it has: one slice a model.
//
// A model that is in a slice already stays there. Of the others each takes over a slice whose model is not there any
// more, or gets a new one; slices that are left over go. A pure function.
#ifndef KUBELET_CM_DRA_SLICES_SLICE_PLAN_H_
#define KUBELET_CM_DRA_SLICES_SLICE_PLAN_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::dra {

struct SlicePlan {
  std::vector<ModelSlice> updates = {};
  std::vector<ModelSlice> creations = {};
  std::vector<std::string> deletions = {};  // by name
};

// `slices` may be those of other drivers, too. Models in the order in which they were told, slices by their names.
SlicePlan PlanSlices(absl::Span<const ModelSlice> slices, const std::string& driver,
                     absl::Span<const ResourceModel> models);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_SLICE_PLAN_H_
