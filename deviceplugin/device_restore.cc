#include "deviceplugin/device_restore.h"

#include <string_view>
#include <utility>

#include "absl/container/btree_set.h"
#include "common/status/status_macros.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "deviceplugin/checkpoint/device_salvage.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::vector<std::string> ResourcesNamedIn(std::string_view bytes) {
  const DeviceSalvage salvage = SalvageDevices(bytes);
  absl::btree_set<std::string> names;
  for (const DeviceEntry& entry : salvage.content.entries.value_or(std::vector<DeviceEntry>())) {
    names.insert(entry.resource_name);
  }
  for (const auto& [name, ids] : salvage.content.registered.value_or(RegisteredDevices())) names.insert(name);
  names.erase("");
  return {names.begin(), names.end()};
}

void LogOutcome(const Recovery& recovery, const DeviceRestore& restore, Logger& log) {
  if (recovery.outcome == RecoveryOutcome::kCorrupt) {
    log.Error(recovery.error,
              "Continue after failing to read checkpoint file. Device allocation info may NOT be up-to-date",
              {{"setAsideAs", recovery.set_aside_as}, {"resources", restore.lost_resources}});
    return;
  }
  if (recovery.outcome == RecoveryOutcome::kFresh) return;
  log.V(4).Info("Read data from checkpoint file",
                {{"checkpoint", kDeviceCheckpointKey},
                 {"format", std::string(FormatName(*restore.format))},
                 {"entries", restore.content.entries.has_value() ? restore.content.entries->size() : 0}});
}

void LogEntries(const DeviceContent& content, Logger& log) {
  if (!log.Enabled(2) || !content.entries.has_value()) return;
  for (const DeviceEntry& entry : *content.entries) {
    const std::vector<std::string_view> flat = FlatDevices(entry);
    const std::vector<std::string> ids(flat.begin(), flat.end());
    log.V(2).Info("Get checkpoint entry", {{"podUID", entry.pod_uid},
                                           {"containerName", entry.container_name},
                                           {"resourceName", entry.resource_name},
                                           {"deviceIDs", ids}});
  }
}

}  // namespace

absl::StatusOr<DeviceRestore> RestoreDevices(const RecoverySetting& setting, const Personality& kubelet, Logger& log) {
  DeviceRestore restore;
  const bool forgets = &kubelet != &LatestPersonality();
  restore.doubts_node_zero = !forgets;
  const auto accept = [&](std::string_view bytes) -> absl::StatusOr<bool> {
    DeviceVerdict verdict = ReadDevicesAs(kubelet, bytes);
    if (!verdict.accepted()) {
      if (!forgets) restore.lost_resources = ResourcesNamedIn(bytes);
      return verdict.status;
    }
    restore.format = verdict.format;
    restore.content = std::move(verdict.content);
    return verdict.format == kubelet.device_writes;
  };
  ASSIGN_OR_RETURN(Recovery recovery, RecoverCheckpoint(setting, kDeviceCheckpointKey, accept));
  restore.outcome = recovery.outcome;
  restore.bytes = std::move(recovery.bytes);
  LogOutcome(recovery, restore, log);
  LogEntries(restore.content, log);
  return restore;
}

}  // namespace kubelet_cm::deviceplugin
