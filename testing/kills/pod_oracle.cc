#include "testing/kills/pod_oracle.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/check.h"

namespace kubelet_cm::kills {
namespace {

std::string Text(const PodOracle::Devices& devices) { return absl::StrCat("[", absl::StrJoin(devices, " "), "]"); }

}  // namespace

void PodOracle::Admitting(const std::string& uid, size_t devices) {
  MutexLock lock(&mu_);
  CHECK(pods_.try_emplace(uid, Pod{.asked = devices}).second) << uid << " is known";
}

void PodOracle::Removing(const std::string& uid) {
  MutexLock lock(&mu_);
  pods_.at(uid).knowledge = Knowledge::kRemoving;
}

testing::AssertionResult PodOracle::Admitted(const std::string& uid, const Devices& devices) {
  MutexLock lock(&mu_);
  Pod& admitted = pods_.at(uid);
  admitted.knowledge = Knowledge::kHeld;
  admitted.devices = devices;
  if (devices.size() != admitted.asked) {
    return testing::AssertionFailure() << uid << " asked for " << admitted.asked << " devices and got "
                                       << Text(devices);
  }
  for (const auto& [other, pod] : pods_) {
    if (other == uid || pod.knowledge != Knowledge::kHeld) continue;
    for (const std::string& device : pod.devices) {
      if (devices.contains(device)) {
        return testing::AssertionFailure() << device << " was given to " << uid << ", and " << other << " holds it";
      }
    }
  }
  return testing::AssertionSuccess();
}

void PodOracle::Refused(const std::string& uid) {
  MutexLock lock(&mu_);
  pods_.erase(uid);
}

void PodOracle::Removed(const std::string& uid) {
  MutexLock lock(&mu_);
  pods_.erase(uid);
}

std::string PodOracle::Problem(const Pod& pod, const Listed* listed) {
  if (listed != nullptr && listed->leaving && pod.knowledge != Knowledge::kRemoving) {
    return "was not asked to go and is on its way out";
  }
  switch (pod.knowledge) {
    case Knowledge::kHeld:
      if (listed == nullptr) return "was admitted and is not there";
      if (listed->devices == pod.devices) return "";
      return absl::StrCat("was given ", Text(pod.devices), " and holds ", Text(listed->devices));
    case Knowledge::kAdmitting:
      if (listed == nullptr || listed->devices.size() == pod.asked) return "";
      return absl::StrCat("asked for ", pod.asked, " devices, was killed, and holds ", Text(listed->devices));
    case Knowledge::kRemoving:
      if (listed == nullptr || listed->devices == pod.devices || (listed->leaving && listed->devices.empty()))
        return "";
      return absl::StrCat("held ", Text(pod.devices), ", was asked to go, and holds ", Text(listed->devices));
  }
  return "";
}

testing::AssertionResult PodOracle::Check(const Pods& listed) const {
  std::vector<std::string> problems;
  MutexLock lock(&mu_);
  for (const auto& [uid, pod] : pods_) {
    const auto found = listed.find(uid);
    const std::string problem = Problem(pod, found == listed.end() ? nullptr : &found->second);
    if (!problem.empty()) problems.push_back(absl::StrCat(uid, " ", problem));
  }
  std::map<std::string, std::string> holders;
  for (const auto& [uid, pod] : listed) {
    if (!pods_.contains(uid)) problems.push_back(absl::StrCat(uid, " was removed or refused and is there"));
    for (const std::string& device : pod.devices) {
      const auto [holder, is_first] = holders.try_emplace(device, uid);
      if (!is_first) problems.push_back(absl::StrCat(device, " is held by ", holder->second, " and by ", uid));
    }
  }
  if (problems.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << absl::StrJoin(problems, "\n");
}

std::vector<std::string> PodOracle::Adopt(const Pods& listed) {
  std::vector<std::string> taken_effect;
  MutexLock lock(&mu_);
  for (auto it = pods_.begin(); it != pods_.end();) {
    auto& [uid, pod] = *it;
    const auto found = listed.find(uid);
    if (found == listed.end()) {
      it = pods_.erase(it);
      continue;
    }
    if (pod.knowledge == Knowledge::kAdmitting) taken_effect.push_back(uid);
    pod.knowledge = found->second.leaving ? Knowledge::kRemoving : Knowledge::kHeld;
    pod.devices = found->second.devices;
    ++it;
  }
  return taken_effect;
}

std::vector<std::string> PodOracle::Held() const { return Those(Knowledge::kHeld); }

std::vector<std::string> PodOracle::Leaving() const { return Those(Knowledge::kRemoving); }

std::vector<std::string> PodOracle::Those(Knowledge knowledge) const {
  std::vector<std::string> those;
  MutexLock lock(&mu_);
  for (const auto& [uid, pod] : pods_) {
    if (pod.knowledge == knowledge) those.push_back(uid);
  }
  return those;
}

PodOracle::Devices PodOracle::DevicesOf(const std::string& uid) const {
  MutexLock lock(&mu_);
  return pods_.at(uid).devices;
}

size_t PodOracle::InFlight() const {
  MutexLock lock(&mu_);
  return static_cast<size_t>(std::count_if(pods_.begin(), pods_.end(),
                                           [](const auto& pod) { return pod.second.knowledge != Knowledge::kHeld; }));
}

}  // namespace kubelet_cm::kills
