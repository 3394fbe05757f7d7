// Models and slices for tests.
#ifndef KUBELET_CM_DRA_SLICES_SLICE_SAMPLES_H_
#define KUBELET_CM_DRA_SLICES_SLICE_SAMPLES_H_

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "dra/plugin/slice_client.h"

namespace kubelet_cm::dra {

// A model with one instance of that name.
inline ResourceModel ModelOf(const std::string& instance) {
  ResourceModel model;
  model.mutable_named_resources()->add_instances()->set_name(instance);
  return model;
}

// "driver: instance+instance" of a slice.
inline std::string ShownSlice(const ModelSlice& slice) {
  std::vector<std::string> names;
  for (const auto& instance : slice.model.named_resources().instances()) names.push_back(instance.name());
  return absl::StrCat(slice.driver_name, ": ", absl::StrJoin(names, "+"));
}

inline std::vector<std::string> ShownSlices(absl::Span<const ModelSlice> slices) {
  std::vector<std::string> shown;
  for (const ModelSlice& slice : slices) shown.push_back(ShownSlice(slice));
  return shown;
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_SLICES_SLICE_SAMPLES_H_
