#include "deviceplugin/checkpoint/device_invariants.h"

#include <string>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/alloc_response.h"

namespace kubelet_cm::deviceplugin {
namespace {

using ResourceAndDevice = std::pair<std::string_view, std::string_view>;

std::string Name(const DeviceEntry& entry) {
  return absl::StrCat("container ", entry.container_name, " of pod ", entry.pod_uid);
}

class Check {
 public:
  explicit Check(const DeviceContent& content) : content_(content) {
    if (!content.registered.has_value()) return;
    for (const auto& [resource, ids] : *content.registered) {
      if (!ids.has_value()) continue;
      for (const std::string& id : *ids) registered_.emplace(resource, id);
    }
  }

  std::vector<CheckpointProblem> Run() && {
    if (!content_.entries.has_value()) return {};
    for (const DeviceEntry& entry : *content_.entries) {
      for (const std::string_view id : FlatDevices(entry)) Device(entry, id);
      Response(entry);
    }
    return std::move(problems_);
  }

 private:
  void Device(const DeviceEntry& entry, std::string_view id) {
    const ResourceAndDevice device{entry.resource_name, id};
    const auto [holder, is_first] = holders_.emplace(device, &entry);
    if (!is_first && holder->second->pod_uid != entry.pod_uid) {
      Add(CheckpointProblemKind::kHeldTwice,
          absl::StrCat("device ", std::string(id), " of ", entry.resource_name, " is held by ", Name(*holder->second),
                       " and by ", Name(entry)));
    }
    if (!registered_.contains(device)) {
      Add(CheckpointProblemKind::kNotRegistered,
          absl::StrCat("device ", std::string(id), " of ", entry.resource_name, ", held by ", Name(entry),
                       ", is not among the registered devices"));
    }
  }

  void Response(const DeviceEntry& entry) {
    if (!entry.alloc_response.has_value()) return;
    const auto response = ParseAllocResponse(*entry.alloc_response);
    if (response.ok()) return;
    Add(CheckpointProblemKind::kUnreadableAllocation,
        absl::StrCat(Name(entry), ": the allocation response for ", entry.resource_name,
                     " cannot be read (a kubelet drops the entry): ", response.status().message()));
  }

  void Add(CheckpointProblemKind kind, std::string sentence) {
    problems_.push_back({.kind = kind, .text = std::move(sentence)});
  }

  const DeviceContent& content_;
  absl::flat_hash_set<ResourceAndDevice> registered_;
  absl::flat_hash_map<ResourceAndDevice, const DeviceEntry*> holders_;
  std::vector<CheckpointProblem> problems_;
};

}  // namespace

std::vector<CheckpointProblem> DeviceProblems(const DeviceContent& content) { return Check(content).Run(); }

}  // namespace kubelet_cm::deviceplugin
