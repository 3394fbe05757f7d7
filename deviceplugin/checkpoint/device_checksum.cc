#include "deviceplugin/checkpoint/device_checksum.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_replace.h"
#include "checkpointmanager/checksum/fnv1a.h"
#include "common/status/check.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr char kFallbackEntryName[] = "PodDevicesEntryV1";

void PrintContent(const DeviceContent& content, DeviceLayout layout, GoDump& dump) {
  CHECK(IsChecksummed(layout)) << "a checksum of device layout " << static_cast<int>(layout);
  // The fallback's own names are replaced before the text is hashed, so these are right for all.
  const DeviceTypes& types = TypesOf(layout == DeviceLayout::kV2 ? DeviceLayout::kV2 : DeviceLayout::kV1);
  dump.Text("(");
  dump.Text(types.content);
  dump.Text(")");
  dump.Struct([&] {
    dump.ListField("PodDeviceEntries", types.entries, content.entries,
                   [&](const DeviceEntry& entry) { PrintDeviceEntry(entry, layout, dump); });
    dump.Field("RegisteredDevices", "map[string][]string", content.registered);
  });
}

bool HasFallbackName(const std::string& text) { return text.find(kFallbackEntryName) != std::string::npos; }
bool HasFallbackName(const std::optional<DeviceIds>& ids) {
  return ids.has_value() &&
         std::any_of(ids->begin(), ids->end(), [](const std::string& id) { return HasFallbackName(id); });
}
bool HasFallbackName(const DeviceEntry& entry) {
  if (HasFallbackName(entry.pod_uid) || HasFallbackName(entry.container_name) || HasFallbackName(entry.resource_name)) {
    return true;
  }
  return entry.devices.has_value() && std::any_of(entry.devices->begin(), entry.devices->end(),
                                                  [](const auto& node) { return HasFallbackName(node.second); });
}
bool HasFallbackName(const DeviceContent& content) {
  if (content.entries.has_value() && std::any_of(content.entries->begin(), content.entries->end(),
                                                 [](const DeviceEntry& entry) { return HasFallbackName(entry); })) {
    return true;
  }
  return content.registered.has_value() &&
         std::any_of(content.registered->begin(), content.registered->end(), [](const auto& resource) {
           return HasFallbackName(resource.first) || HasFallbackName(resource.second);
         });
}

// The fallback replaces the name of its entry type everywhere, in the user's strings as well.
bool IsDistorted(const DeviceContent& content, DeviceLayout layout) {
  return layout == DeviceLayout::kV1Fallback && HasFallbackName(content);
}

std::string DistortedText(const DeviceContent& content, DeviceLayout layout) {
  return absl::StrReplaceAll(GoDumpText([&](GoDump& dump) { PrintContent(content, layout, dump); }),
                             {{kFallbackEntryName, "PodDevicesEntry"}});
}

void PrintFlatDevices(const DeviceEntry& entry, GoDump& dump) {
  constexpr std::string_view kName = "DeviceIDs";
  constexpr std::string_view kType = "[]string";
  if (!entry.devices.has_value()) return dump.Field(kName, kType, std::nullopt);
  if (entry.devices->size() == 1) return dump.Field(kName, kType, entry.devices->begin()->second);
  dump.Field(kName, kType, FlatDevices(entry));
}

}  // namespace

void PrintDeviceEntry(const DeviceEntry& entry, DeviceLayout layout, GoDump& dump) {
  dump.Struct([&] {
    dump.Field("PodUID", "string", entry.pod_uid);
    dump.Field("ContainerName", "string", entry.container_name);
    dump.Field("ResourceName", "string", entry.resource_name);
    if (layout == DeviceLayout::kV2) {
      dump.Field("DeviceIDs", "checkpoint.DevicesPerNUMA", entry.devices);
    } else {
      PrintFlatDevices(entry, dump);
    }
    dump.BytesField("AllocResp", entry.alloc_response);
  });
}

void PrintRegistered(const RegisteredDevices::value_type& resource, GoDump& dump) {
  dump.Text(resource.first);
  dump.Text(":");
  dump.Value(resource.second);
}

std::string DeviceDumpText(const DeviceContent& content, DeviceLayout layout) {
  if (IsDistorted(content, layout)) return DistortedText(content, layout);
  return GoDumpText([&](GoDump& dump) { PrintContent(content, layout, dump); });
}

uint32_t DeviceChecksum(const DeviceContent& content, DeviceLayout layout) {
  if (IsDistorted(content, layout)) return Fnv1a(DistortedText(content, layout));
  return GoDumpChecksum([&](GoDump& dump) { PrintContent(content, layout, dump); });
}

}  // namespace kubelet_cm::deviceplugin
