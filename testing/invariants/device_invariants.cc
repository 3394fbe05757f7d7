#include "testing/invariants/device_invariants.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "dra/checkpoint/dra_reading.h"

namespace kubelet_cm::invariants {
namespace {

constexpr absl::Duration kGrace = absl::Minutes(5);
constexpr absl::Duration kSlack = absl::Seconds(2);
constexpr char kDeviceFile[] = "/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint";
constexpr char kClaimFile[] = "/var/lib/kubelet/dra_manager_state";

std::string Words(const std::set<std::string>& ids) { return ids.empty() ? "nothing" : absl::StrJoin(ids, ","); }

}  // namespace

void DeviceInvariants::Broken(const std::string& invariant, std::string message) {
  broken_.push_back({invariant, std::move(message)});
}

void DeviceInvariants::Restarted() {
  absent_.clear();
  shown_.clear();
  changed_files_.clear();
  last_check_ = node_.Elapsed();
}

std::vector<Violation> DeviceInvariants::Check(const Sight& seen) {
  broken_.clear();
  CheckHolders(seen);
  CheckAcknowledged(seen);
  CheckAllocations();
  CheckAbsentPlugins(seen);
  CheckFiles(seen);
  last_check_ = node_.Elapsed();
  return std::exchange(broken_, {});
}

void DeviceInvariants::CheckHolders(const Sight& seen) {
  std::map<std::pair<std::string, std::string>, std::set<std::string>> pods_of;
  for (const auto& [holder, ids] : seen.holdings) {
    const auto& [pod, container, resource] = holder;
    for (const std::string& id : ids) pods_of[{resource, id}].insert(pod);
    if (!oracle_.pods().contains(pod)) {
      Broken("D7", absl::StrCat("pod ", pod, ", which is not there, holds ", Words(ids), " of ", resource));
    }
  }
  for (const auto& [device, pods] : pods_of) {
    if (pods.size() < 2) continue;
    Broken("D1", absl::StrCat(device.second, " of ", device.first, " is held by pods ", absl::StrJoin(pods, " and ")));
  }
  const bool admitting =
      std::any_of(oracle_.pods().begin(), oracle_.pods().end(), [](const auto& pod) { return pod.second.admitting; });
  if (seen.reservations > 0 && !admitting) {
    Broken("D7", absl::StrCat(seen.reservations, " reservations are left, and nobody is being admitted"));
  }
}

void DeviceInvariants::CheckAcknowledged(const Sight& seen) {
  for (const auto& [uid, memory] : oracle_.pods()) {
    if (!memory.admitted || memory.uncertain || memory.admitting || memory.ending) continue;
    for (const auto& [holder, ids] : memory.holds) {
      const auto now = seen.holdings.find(holder);
      const std::set<std::string> held = now == seen.holdings.end() ? std::set<std::string>() : now->second;
      if (held == ids) continue;
      Broken("D3", absl::StrCat("pod ", uid, " was given ", Words(ids), " of ", std::get<2>(holder), ", and holds ",
                                Words(held)));
    }
    const auto phase = seen.pods.find(uid);
    if (phase == seen.pods.end()) Broken("D3", absl::StrCat("pod ", uid, " was admitted, and is not known"));
  }
}

void DeviceInvariants::CheckAllocations() {
  for (const auto& [plugin, resource] : node_.ConnectedPlugins()) {
    const std::vector<scenarios::SeenCall> calls = node_.PluginCalls(plugin);
    for (size_t& i = calls_seen_[plugin]; i < calls.size(); ++i) {
      if (calls[i].method != "Allocate") continue;
      for (const auto& [uid, memory] : oracle_.pods()) {
        for (const auto& [holder, ids] : memory.holds) {
          const bool runs = std::get<2>(holder) == resource && memory.running.contains(std::get<1>(holder));
          const bool asked = std::any_of(calls[i].ids.begin(), calls[i].ids.end(),
                                         [&, &held = ids](const std::string& id) { return held.contains(id); });
          if (!runs || !asked) continue;
          Broken("D4", absl::StrCat("Allocate was sent for ", absl::StrJoin(calls[i].ids, ","), " of ", resource,
                                    ", which container ", std::get<1>(holder), " of pod ", uid, " runs with"));
        }
      }
    }
  }
}

void DeviceInvariants::CheckAbsentPlugins(const Sight& seen) {
  std::set<std::string> answered;
  for (const auto& [plugin, resource] : node_.ConnectedPlugins()) {
    answered.insert(resource);
    oracle_.Knows(resource);
    absent_.erase(resource);
  }
  const absl::Duration now = node_.Elapsed();
  for (const auto& [resource, counts] : seen.resources) {
    shown_.insert(resource);
    oracle_.Knows(resource);
    if (answered.contains(resource)) continue;
    const auto [absence, is_new] = absent_.try_emplace(resource, Absence{last_check_, now});
    if (counts.allocatable > 0) {
      Broken("D5", absl::StrCat("no plugin answers for ", resource, ", and ", counts.allocatable,
                                " of its devices are allocatable"));
    }
    if (now - absence->second.seen > kGrace + kSlack) {
      Broken("D5", absl::StrCat("no plugin has answered for ", resource, " for ",
                                absl::FormatDuration(now - absence->second.seen), ", and it is still there"));
    }
  }
  for (auto resource = shown_.begin(); resource != shown_.end();) {
    if (seen.resources.contains(*resource)) {
      ++resource;
      continue;
    }
    const auto absence = absent_.find(*resource);
    const absl::Duration not_before = absence == absent_.end() ? last_check_ : absence->second.not_before;
    if (now - not_before < kGrace) {
      Broken("D5", absl::StrCat(*resource, " was removed before its plugin was gone for five minutes"));
    }
    oracle_.Drop(*resource);
    absent_.erase(*resource);
    resource = shown_.erase(resource);
  }
}

void DeviceInvariants::CheckFiles(const Sight& seen) {
  const auto check = [&](const std::string& file, const char* path, const std::string& restored, auto valid) {
    if (changed_files_.contains(file)) return;
    absl::StatusOr<std::string> bytes = node_.ReadFile(path);
    if (bytes.ok()) {
      std::optional<std::string>& whole = files_seen_[file];
      if (whole == *bytes) return;
      const absl::Status status = valid(*bytes);
      if (!status.ok()) Broken("D6", absl::StrCat("the state file of ", file, " cannot be read: ", status.message()));
      whole = status.ok() ? std::optional(*std::move(bytes)) : std::nullopt;
    } else if (restored == "corrupt" || restored == "fresh") {
      files_seen_.erase(file);  // set aside, and not written yet
    } else if (files_seen_.contains(file)) {
      Broken("D6", absl::StrCat("the state file of ", file, " is gone: ", bytes.status().message()));
    }
  };
  check("devices", kDeviceFile, seen.devices_restored,
        [](const std::string& bytes) { return deviceplugin::ReadDevices(bytes).status; });
  check("claims", kClaimFile, seen.claims_restored,
        [](const std::string& bytes) { return dra::ReadDraCheckpoint(bytes).status; });
}

}  // namespace kubelet_cm::invariants
