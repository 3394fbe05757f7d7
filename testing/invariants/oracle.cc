#include "testing/invariants/oracle.h"

#include <tuple>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::invariants {
namespace {

std::map<Sight::Holder, std::set<std::string>> HoldingsOf(const std::string& uid, const Sight& seen) {
  std::map<Sight::Holder, std::set<std::string>> holdings;
  for (const auto& [holder, ids] : seen.holdings) {
    if (std::get<0>(holder) == uid) holdings[holder] = ids;
  }
  return holdings;
}

}  // namespace

void Oracle::BeginAdmit(const Pod& pod) {
  PodMemory& memory = pods_[pod.uid];
  memory.pod = pod;
  memory.admitting = true;
}

std::vector<Violation> Oracle::EndAdmit(const std::string& uid, bool admitted, const Sight& seen) {
  if (!admitted) {
    pods_.erase(uid);
    return {};
  }
  PodMemory& memory = pods_[uid];
  memory.admitting = false;
  memory.admitted = true;
  memory.uncertain = false;
  memory.holds = HoldingsOf(uid, seen);
  std::vector<Violation> violations;
  for (const Container& container : memory.pod.containers) {
    for (const auto& [resource, wanted] : container.limits) {
      if (!resources_.contains(resource)) memory.unknown.insert(resource);
      if (wanted == 0 || memory.unknown.contains(resource)) continue;
      const auto held = memory.holds.find({uid, container.name, resource});
      const size_t count = held == memory.holds.end() ? 0 : held->second.size();
      if (count == static_cast<size_t>(wanted)) continue;
      violations.push_back(
          {"D2", absl::StrCat("pod ", uid, " was admitted and its container ", container.name, " holds ", count,
                              " of the ", wanted, " devices of ", resource, " that it asked for")});
    }
  }
  return violations;
}

void Oracle::EndPrepare(const std::string& uid, bool prepared) {
  const auto found = pods_.find(uid);
  if (found != pods_.end() && prepared) found->second.prepared = true;
}

void Oracle::ContainerRuns(const std::string& uid, const std::string& container, bool runs) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  runs ? void(found->second.running.insert(container)) : void(found->second.running.erase(container));
}

void Oracle::BeginRemove(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  found->second.ending = true;
  found->second.prepared = false;
  found->second.running.clear();
}

void Oracle::EndRemove(const std::string& uid, bool removed) {
  if (removed) pods_.erase(uid);
}

void Oracle::Lost(const std::string& uid) {
  const auto found = pods_.find(uid);
  if (found == pods_.end()) return;
  // What was acknowledged before stays so, unless the request was to take it away.
  PodMemory& memory = found->second;
  memory.uncertain = memory.admitting || memory.ending;
  memory.admitting = false;
}

void Oracle::Found(const std::string& uid) {
  PodMemory& memory = pods_[uid];
  memory.pod.uid = uid;
  memory.uncertain = true;
}

void Oracle::Restarted(const Sight& seen) {
  for (const std::string& uid : may_come_back_) {
    if (seen.pods.contains(uid) && !pods_.contains(uid)) Found(uid);
  }
  may_come_back_.clear();
  for (auto& [uid, memory] : pods_) memory.unknown.clear();
  for (auto pod = pods_.begin(); pod != pods_.end();) {
    PodMemory& memory = pod->second;
    if (!memory.uncertain) {
      ++pod;
      continue;
    }
    const bool is_there = seen.pods.contains(pod->first);
    memory.uncertain = false;
    memory.admitted = is_there && !memory.ending;
    memory.holds = HoldingsOf(pod->first, seen);
    pod = is_there ? std::next(pod) : pods_.erase(pod);
  }
}

void Oracle::KnowsNoMoreThan(const Sight& seen) {
  std::erase_if(resources_, [&](const std::string& resource) { return !seen.resources.contains(resource); });
}

void Oracle::Booted() {
  for (auto& [uid, memory] : pods_) memory.running.clear();
}

void Oracle::ForgetFile(const std::string& file) {
  for (auto& [uid, memory] : pods_) {
    if (file == "devices") memory.holds.clear();
    if (file == "claims") memory.prepared = false;
  }
  if (file == "devices") resources_.clear();
}

}  // namespace kubelet_cm::invariants
