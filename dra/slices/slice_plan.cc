#include "dra/slices/slice_plan.h"

#include <map>

#include "dra/slices/model_key.h"

namespace kubelet_cm::dra {

SlicePlan PlanSlices(absl::Span<const ModelSlice> slices, const std::string& driver,
                     absl::Span<const ResourceModel> models) {
  std::map<std::string, const ModelSlice*> left;  // by name: those that hold nothing of what there is
  for (const ModelSlice& slice : slices) {
    if (slice.driver_name == driver) left[slice.name] = &slice;
  }
  std::multimap<std::string, std::string> names;  // by model
  for (const auto& [name, slice] : left) names.emplace(ModelKey(slice->model), name);
  std::vector<const ResourceModel*> homeless;
  for (const ResourceModel& model : models) {
    const auto found = names.find(ModelKey(model));
    if (found == names.end()) {
      homeless.push_back(&model);
      continue;
    }
    left.erase(found->second);
    names.erase(found);
  }
  SlicePlan plan;
  for (const ResourceModel* model : homeless) {
    if (left.empty()) {
      plan.creations.push_back({.driver_name = driver, .model = *model});
      continue;
    }
    plan.updates.push_back(*left.begin()->second);
    plan.updates.back().model = *model;
    left.erase(left.begin());
  }
  for (const auto& [name, slice] : left) plan.deletions.push_back(name);
  return plan;
}

}  // namespace kubelet_cm::dra
