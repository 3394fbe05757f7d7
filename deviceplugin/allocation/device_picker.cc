#include "deviceplugin/allocation/device_picker.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace kubelet_cm::deviceplugin {
namespace {

using Ids = std::vector<std::string>;

void SortAndUnify(Ids* ids) {
  // Most come out of a sorted list, and there may be many.
  if (std::adjacent_find(ids->begin(), ids->end(), std::greater_equal<>()) == ids->end()) return;
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
}

bool Contains(const Ids& sorted, const std::string& id) { return std::binary_search(sorted.begin(), sorted.end(), id); }

Ids Union(const Ids& a, const Ids& b) {
  Ids all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

// The ids chosen so far, on the way to a number of them.
class Choice {
 public:
  Choice(Ids ids, int64_t count) : ids_(std::move(ids)), count_(count) { SortAndUnify(&ids_); }

  const Ids& ids() const { return ids_; }
  int64_t size() const { return static_cast<int64_t>(ids_.size()); }
  int64_t missing() const { return count_ - size(); }

  // Takes of `sorted`, from its beginning, what it lacks and does not have.
  void TakeFrom(const Ids& sorted) {
    Ids taken;
    for (const std::string& id : sorted) {
      if (missing() <= static_cast<int64_t>(taken.size())) break;
      if (!Contains(ids_, id)) taken.push_back(id);
    }
    ids_ = Union(ids_, taken);
  }
  void TakeFrom(const AffinityGroups& groups) {
    TakeFrom(groups.aligned);
    TakeFrom(groups.unaligned);
    TakeFrom(groups.no_affinity);
  }

 private:
  Ids ids_;  // sorted
  const int64_t count_;
};

}  // namespace

AffinityGroups SplitByAffinity(const PickRequest& request) {
  AffinityGroups groups;
  const bool asks_for_nodes = request.has_topology && request.affinity.has_value();
  for (const CandidateDevice& device : request.available) {
    Ids* group = &groups.unaligned;
    if (!asks_for_nodes || device.numa_nodes.empty()) {
      group = &groups.no_affinity;
    } else if (!request.affinity->And(NumaMask::Of(device.numa_nodes)).IsEmpty()) {
      group = &groups.aligned;
    }
    group->emplace_back(device.id);
  }
  for (Ids* group : {&groups.aligned, &groups.unaligned, &groups.no_affinity}) SortAndUnify(group);
  return groups;
}

absl::StatusOr<Pick> StartPick(const PickRequest& request) {
  Choice choice({}, request.count);
  Ids reusable = request.reusable;
  SortAndUnify(&reusable);
  choice.TakeFrom(reusable);
  if (choice.missing() <= 0) return Pick{.ids = choice.ids(), .question = std::nullopt};
  if (static_cast<int64_t>(request.available.size()) < choice.missing()) {
    return absl::ResourceExhaustedError(
        absl::StrCat("requested number of devices unavailable for ", std::string(request.resource_name),
                     ". Requested: ", choice.missing(), ", Available: ", request.available.size()));
  }

  const AffinityGroups groups = SplitByAffinity(request);
  const bool aligned_suffice = choice.missing() < static_cast<int64_t>(groups.aligned.size());
  if (!aligned_suffice) choice.TakeFrom(groups.aligned);
  if (choice.missing() == 0) return Pick{.ids = choice.ids(), .question = std::nullopt};
  if (!request.ask_preferred) {
    choice.TakeFrom(groups);
    return Pick{.ids = choice.ids(), .question = std::nullopt};
  }
  Ids offered = groups.aligned;
  if (!aligned_suffice) offered = Union(Union(groups.aligned, groups.unaligned), groups.no_affinity);
  return Pick{.ids = choice.ids(),
              .question = PreferredQuestion{
                  .available = Union(offered, choice.ids()), .must_include = choice.ids(), .size = request.count}};
}

absl::StatusOr<std::vector<std::string>> FinishPick(const PickRequest& request, const Pick& pick,
                                                    absl::Span<const std::string> preferred) {
  Choice choice(pick.ids, request.count);
  if (pick.question.has_value()) {
    const AffinityGroups groups = SplitByAffinity(request);
    const Ids available = Union(Union(groups.aligned, groups.unaligned), groups.no_affinity);
    Ids wanted;
    for (const std::string& id : preferred) {
      if (Contains(pick.question->available, id) && Contains(available, id)) wanted.push_back(id);
    }
    SortAndUnify(&wanted);
    choice.TakeFrom(wanted);
    choice.TakeFrom(groups);
  }
  if (choice.missing() <= 0) return choice.ids();
  return absl::ResourceExhaustedError(absl::StrCat(
      "unexpectedly allocated less resources than required. Requested: ", request.count, ", Got: ", choice.size()));
}

}  // namespace kubelet_cm::deviceplugin
