#include "deviceplugin/checkpoint/device_encoder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/device_checksum.h"

namespace kubelet_cm::deviceplugin {
namespace {

constexpr size_t kUsualEntryBytes = 600;

void WriteText(std::string_view key, std::string_view value, JsonWriter* writer) {
  writer->Key(key);
  writer->String(value);
}

template <typename Ids>
void WriteList(const Ids& ids, JsonWriter* writer) {
  writer->BeginArray();
  for (const auto& id : ids) writer->String(id);
  writer->EndArray();
}

void WriteIds(const std::optional<DeviceIds>& ids, JsonWriter* writer) {
  ids.has_value() ? WriteList(*ids, writer) : writer->Null();
}

// Go sorts the keys of a map as texts.
void WritePerNuma(const std::optional<DevicesPerNuma>& devices, JsonWriter* writer) {
  if (!devices.has_value()) return writer->Null();
  std::vector<std::pair<std::string, const std::optional<DeviceIds>*>> nodes;
  nodes.reserve(devices->size());
  for (const auto& [node, ids] : *devices) nodes.emplace_back(absl::StrCat(node), &ids);
  std::sort(nodes.begin(), nodes.end());
  writer->BeginObject();
  for (const auto& [node, ids] : nodes) {
    writer->Key(node);
    WriteIds(*ids, writer);
  }
  writer->EndObject();
}

void WriteFlat(const DeviceEntry& entry, JsonWriter* writer) {
  if (!entry.devices.has_value()) return writer->Null();
  if (entry.devices->size() == 1) return WriteIds(entry.devices->begin()->second, writer);
  WriteList(FlatDevices(entry), writer);
}

// The 1.8 format: an object for each device.
void WriteDevicesOf18(const DeviceEntry& entry, JsonWriter* writer) {
  for (const std::string_view id : FlatDevices(entry)) {
    writer->BeginObject();
    WriteText("PodUID", entry.pod_uid, writer);
    WriteText("ContainerName", entry.container_name, writer);
    WriteText("ResourceName", entry.resource_name, writer);
    WriteText("DeviceID", id, writer);
    writer->EndObject();
  }
}

void WriteEntries(const std::optional<std::vector<DeviceEntry>>& entries, DeviceLayout layout, JsonWriter* writer) {
  if (!entries.has_value()) return writer->Null();
  writer->BeginArray();
  for (const DeviceEntry& entry : *entries) {
    layout == DeviceLayout::kV0Of18 ? WriteDevicesOf18(entry, writer) : WriteDeviceEntry(entry, layout, writer);
  }
  writer->EndArray();
}

void WriteContent(const DeviceContent& content, DeviceLayout layout, JsonWriter* writer) {
  writer->BeginObject();
  writer->Key(layout == DeviceLayout::kV0Of18 ? "Entries" : "PodDeviceEntries");
  WriteEntries(content.entries, layout, writer);
  if (layout != DeviceLayout::kV0Of18) {
    writer->Key("RegisteredDevices");
    WriteRegistered(content.registered, writer);
  }
  writer->EndObject();
}

bool HasNodes(const DeviceEntry& entry) {
  return entry.devices.has_value() &&
         std::any_of(entry.devices->begin(), entry.devices->end(), [](const auto& node) { return node.first != 0; });
}

size_t Count(const DeviceContent& content, bool (*matches)(const DeviceEntry&)) {
  if (!content.entries.has_value()) return 0;
  return static_cast<size_t>(std::count_if(content.entries->begin(), content.entries->end(), matches));
}

}  // namespace

void WriteDeviceEntry(const DeviceEntry& entry, DeviceLayout layout, JsonWriter* writer) {
  writer->BeginObject();
  WriteText("PodUID", entry.pod_uid, writer);
  WriteText("ContainerName", entry.container_name, writer);
  WriteText("ResourceName", entry.resource_name, writer);
  writer->Key("DeviceIDs");
  layout == DeviceLayout::kV2 ? WritePerNuma(entry.devices, writer) : WriteFlat(entry, writer);
  writer->Key("AllocResp");
  entry.alloc_response.has_value() ? writer->Base64(*entry.alloc_response) : writer->Null();
  writer->EndObject();
}

void WriteRegistered(const std::optional<RegisteredDevices>& registered, JsonWriter* writer) {
  if (!registered.has_value()) return writer->Null();
  writer->BeginObject();
  for (const auto& [resource, ids] : *registered) {
    writer->Key(resource);
    WriteIds(ids, writer);
  }
  writer->EndObject();
}

std::string EncodeDevices(const DeviceContent& content, DeviceLayout layout, ControlEscapes escapes) {
  std::string text;
  if (content.entries.has_value()) text.reserve(content.entries->size() * kUsualEntryBytes);
  JsonWriter writer(&text, escapes);
  if (!IsChecksummed(layout)) {
    WriteContent(content, layout, &writer);
    return text;
  }
  writer.BeginObject();
  writer.Key("Data");
  WriteContent(content, layout, &writer);
  writer.Key("Checksum");
  writer.Uint(DeviceChecksum(content, layout));
  writer.EndObject();
  return text;
}

std::vector<std::string> LostByEncoding(const DeviceContent& content, DeviceFormat format) {
  std::vector<std::string> lost;
  if (format == DeviceFormat::kV2) return lost;
  if (const size_t entries = Count(content, HasNodes); entries > 0) {
    lost.push_back(absl::StrCat("the NUMA nodes of the devices of ", entries,
                                " entries: the format has none, and a reader takes node 0"));
  }
  if (format == DeviceFormat::kV1) return lost;
  lost.emplace_back("the checksum: the format has none, and damage to the file goes unnoticed");
  if (format == DeviceFormat::kV0Of19) return lost;
  const auto with_response = [](const DeviceEntry& entry) { return !entry.alloc_response.value_or("").empty(); };
  if (const size_t entries = Count(content, with_response); entries > 0) {
    lost.push_back(
        absl::StrCat("the allocation responses of ", entries, " entries: Allocate must be called again for each"));
  }
  const auto without_devices = [](const DeviceEntry& entry) { return FlatDevices(entry).empty(); };
  if (const size_t entries = Count(content, without_devices); entries > 0) {
    lost.push_back(absl::StrCat(entries, " entries without devices"));
  }
  if (content.registered.has_value() && !content.registered->empty()) {
    lost.push_back(absl::StrCat("the devices of ", content.registered->size(), " registered resources"));
  }
  return lost;
}

}  // namespace kubelet_cm::deviceplugin
