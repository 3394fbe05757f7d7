#include "dra/claim/claim_entry.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "dra/claim/allocated_claim.h"

namespace kubelet_cm::dra {
namespace {

template <typename State>
ClaimEntry EntryWithIdentity(const State& state) {
  ClaimEntry entry{.id = {state.claim_namespace, state.claim_name, state.claim_uid}};
  if (state.pod_uids.has_value()) entry.pods.insert(state.pod_uids->begin(), state.pod_uids->end());
  // Beside a real pod it would keep that one from being the last.
  entry.pods.erase(std::string(kNobody));
  if (entry.pods.empty()) entry.pods.emplace(kNobody);
  return entry;
}

std::set<std::string> PodsOf(const ClaimEntry& entry) {
  std::set<std::string> pods(entry.pods.begin(), entry.pods.end());
  pods.erase(std::string(kNobody));
  return pods;
}

void Trust(ClaimEntry& entry) {
  for (auto& [name, driver] : entry.drivers) {
    const bool known = !driver.state.devices.is_nil() || Skips(driver.state.skip_node_operations, kSkipPrepare);
    if (known) driver.phase = DriverPhase::kPrepared;
  }
}

}  // namespace

bool Skips(const StringList& skip_node_operations, std::string_view operation) {
  return std::any_of(skip_node_operations.begin(), skip_node_operations.end(),
                     [&](const std::string& skipped) { return skipped == operation || skipped == kSkipAll; });
}

bool AllPrepared(const ClaimEntry& entry) {
  return std::all_of(entry.drivers.begin(), entry.drivers.end(),
                     [](const auto& driver) { return driver.second.phase == DriverPhase::kPrepared; });
}

bool AllUnprepared(const ClaimEntry& entry) {
  return std::all_of(entry.drivers.begin(), entry.drivers.end(),
                     [](const auto& driver) { return driver.second.phase == DriverPhase::kUnprepared; });
}

std::vector<ResourceHandle> HandlesOf(const ClaimEntry& entry, std::string_view driver) {
  std::vector<ResourceHandle> handles;
  for (const ResourceHandle& handle : entry.handles) {
    if ((handle.driver_name.empty() ? entry.driver_name : handle.driver_name) == driver) handles.push_back(handle);
  }
  return handles;
}

std::vector<std::string> CdiIdsOf(const ClaimDriver& driver) {
  std::vector<std::string> ids;
  for (const ClaimDevice& device : driver.state.devices) {
    ids.insert(ids.end(), device.cdi_device_ids.begin(), device.cdi_device_ids.end());
  }
  return ids;
}

std::vector<ClaimDevice> WithThoseOfBefore(const ClaimDriver& driver, std::vector<ClaimDevice> answered) {
  std::vector<ClaimDevice> all(driver.state.devices.begin(), driver.state.devices.end());
  std::move(answered.begin(), answered.end(), std::back_inserter(all));
  return all;
}

ClaimState StateOf(const ClaimEntry& entry, bool hide_devices) {
  ClaimState state{.claim_uid = entry.id.uid,
                   .claim_name = entry.id.name,
                   .claim_namespace = entry.id.namespace_name,
                   .pod_uids = PodsOf(entry),
                   .driver_state = std::map<std::string, DriverState>()};
  for (const auto& [name, driver] : entry.drivers) {
    DriverState& stored = (*state.driver_state)[name];
    stored = driver.state;
    if (hide_devices) stored.devices.SetNil();
  }
  return state;
}

LegacyClaim LegacyStateOf(const ClaimEntry& entry) {
  LegacyClaim state;
  state.driver_name = entry.driver_name;
  state.class_name = entry.class_name;
  state.claim_uid = entry.id.uid;
  state.claim_name = entry.id.name;
  state.claim_namespace = entry.id.namespace_name;
  state.pod_uids = PodsOf(entry);
  if (!entry.handles.empty()) state.resource_handles.Set(entry.handles);
  state.cdi_devices.emplace();
  for (const auto& [name, driver] : entry.drivers) {
    if (!driver.state.devices.is_nil()) (*state.cdi_devices)[name].Set(CdiIdsOf(driver));
  }
  return state;
}

ClaimEntry EntryOf(const ClaimState& state, bool trust_devices) {
  ClaimEntry entry = EntryWithIdentity(state);
  if (state.driver_state.has_value()) {
    for (const auto& [name, driver] : *state.driver_state) entry.drivers[name].state = driver;
  }
  if (trust_devices) Trust(entry);
  return entry;
}

ClaimEntry EntryOf(const LegacyClaim& state, bool trust_devices) {
  ClaimEntry entry = EntryWithIdentity(state);
  entry.class_name = state.class_name;
  entry.driver_name = state.driver_name;
  entry.handles.assign(state.resource_handles.begin(), state.resource_handles.end());
  for (const ResourceHandle& handle : entry.handles) {
    entry.drivers[handle.driver_name.empty() ? entry.driver_name : handle.driver_name];
  }
  if (state.cdi_devices.has_value()) {
    for (const auto& [name, ids] : *state.cdi_devices) {
      ClaimDevice device;  // of no pool and no name
      device.cdi_device_ids = ids;
      entry.drivers[name].state.devices.Set(ids.empty() ? std::vector<ClaimDevice>() : std::vector{std::move(device)});
    }
  }
  if (entry.drivers.empty() && !entry.driver_name.empty()) entry.drivers[entry.driver_name];
  if (trust_devices) Trust(entry);
  return entry;
}

}  // namespace kubelet_cm::dra
