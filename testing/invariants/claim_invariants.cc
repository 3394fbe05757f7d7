#include "testing/invariants/claim_invariants.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace kubelet_cm::invariants {
namespace {

constexpr char kDeviceFile[] = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint";
constexpr char kClaimFile[] = "/var/lib/kubelet/dra_manager_state";

// The uids of the claims that the pod uses.
std::set<std::string> ClaimsOf(const Pod& pod, const std::map<std::string, std::string>& uids) {
  std::set<std::string> found;
  for (const PodClaim& claim : pod.claims) {
    const auto uid = claim.object_name.has_value() ? uids.find(*claim.object_name) : uids.end();
    if (uid != uids.end()) found.insert(uid->second);
  }
  return found;
}

}  // namespace

std::vector<Violation> ClaimInvariants::Check(const std::set<std::string>& drivers,
                                              const std::map<std::string, std::string>& uids) {
  std::vector<Violation> broken;
  for (const std::string& driver : drivers) {
    const std::vector<scenarios::SeenCall> calls = node_.DriverCalls(driver);
    for (size_t& i = calls_seen_[driver]; i < calls.size(); ++i) {
      for (const std::string& uid : calls[i].ids) {
        if (calls[i].method == "NodePrepareResources" && known_.contains({driver, uid})) {
          broken.push_back({"C3", absl::StrCat(driver, " was told to prepare ", uid, " again")});
        }
        if (calls[i].method != "NodeUnprepareResources") continue;
        known_.erase({driver, uid});
        just_known_.erase({driver, uid});
        for (const auto& [pod, memory] : oracle_.pods()) {
          if (!memory.prepared || !ClaimsOf(memory.pod, uids).contains(uid)) continue;
          broken.push_back({"C2", absl::StrCat(driver, " was told to unprepare ", uid, ", with which pod ", pod,
                                               " may be running")});
        }
      }
    }
  }
  known_.merge(just_known_);
  just_known_.clear();
  return broken;
}

std::vector<Violation> ClaimInvariants::CheckAllGone(const std::set<std::string>& drivers, const Sight& seen) {
  std::vector<Violation> broken;
  for (const std::string& driver : drivers) {
    for (const std::string& uid : node_.PreparedClaims(driver)) {
      if (excused_.contains(uid)) continue;
      broken.push_back({"C1", absl::StrCat(uid, " is still prepared by ", driver, ", and no pod is left")});
    }
  }
  for (const auto& [name, claim] : seen.claims) {
    broken.push_back({"C1", absl::StrCat("the kubelet still has claim ", name, ", and no pod is left")});
  }
  return broken;
}

void ClaimInvariants::Prepared(const std::string& pod, const std::map<std::string, std::string>& uids) {
  const auto memory = oracle_.pods().find(pod);
  if (memory == oracle_.pods().end()) return;
  const std::set<std::string> claims = ClaimsOf(memory->second.pod, uids);
  for (auto& [driver, seen] : calls_seen_) {
    const std::set<std::string> prepared = node_.PreparedClaims(driver);
    for (const std::string& uid : claims) {
      if (prepared.contains(uid)) just_known_.insert({driver, uid});
    }
  }
}

std::string ClaimInvariants::FileOrNothing(const char* path) { return node_.ReadFile(path).value_or(""); }

void ClaimInvariants::WillBeKilled(const std::string& version) {
  // What is still to be written is written by the next kubelet.
  if (!node_.is_still_once_settled()) return Interfered();
  // The next kubelet goes on with what this one could not unprepare.
  const auto ends = [](const auto& pod) { return pod.second.ending; };
  if (std::ranges::any_of(oracle_.pods(), ends)) return Interfered();
  before_ = {version, FileOrNothing(kDeviceFile), FileOrNothing(kClaimFile), node_.ConnectedPlugins()};
}

std::vector<Violation> ClaimInvariants::Restarted(const std::string& version) {
  // A kubelet calls its drivers again after a start. Our own does not, if it is its own file that it finds: a kubelet's
  // does not say what still is prepared.
  if (version != "latest" || ran_ != "latest") known_.clear();
  ran_ = version;
  std::vector<Violation> broken;
  const bool same = before_.has_value() && before_->version == version && before_->plugins == node_.ConnectedPlugins();
  if (same && before_->devices != FileOrNothing(kDeviceFile)) {
    broken.push_back({"C4", "a restart changed the state file of devices"});
  }
  if (same && before_->claims != FileOrNothing(kClaimFile)) {
    broken.push_back({"C4", "a restart changed the state file of claims"});
  }
  before_.reset();
  return broken;
}

void ClaimInvariants::Booted() {
  known_.clear();
  just_known_.clear();
  // What is prepared from now on is known to the kubelet that asked.
  excused_.clear();
  Interfered();
}

void ClaimInvariants::FileChanged() {
  known_.clear();
  for (const auto& [driver, seen] : calls_seen_) {
    for (const std::string& uid : node_.PreparedClaims(driver)) excused_.insert(uid);
  }
}

}  // namespace kubelet_cm::invariants
