#include "deviceplugin/checkpoint/content_json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "deviceplugin/checkpoint/alloc_response.h"
#include "deviceplugin/checkpoint/device_encoder.h"

namespace kubelet_cm::deviceplugin {
namespace {

void WriteText(std::string_view key, std::string_view value, JsonWriter* writer) {
  writer->Key(key);
  writer->String(value);
}

void WriteIds(const std::optional<DeviceIds>& ids, JsonWriter* writer) {
  if (!ids.has_value()) return writer->Null();
  writer->BeginArray();
  for (const std::string& id : *ids) writer->String(id);
  writer->EndArray();
}

void WriteDevices(const DeviceEntry& entry, DeviceFormat shape, JsonWriter* writer) {
  writer->Key("deviceIDs");
  if (!entry.devices.has_value()) return writer->Null();
  if (shape != DeviceFormat::kV2 && entry.devices->size() == 1) {
    return WriteIds(entry.devices->begin()->second, writer);
  }
  if (shape != DeviceFormat::kV2) {
    const std::vector<std::string_view> flat = FlatDevices(entry);
    return WriteIds(DeviceIds(flat.begin(), flat.end()), writer);
  }
  writer->BeginObject();
  for (const auto& [node, ids] : *entry.devices) {
    writer->Key(absl::StrCat(node));
    WriteIds(ids, writer);
  }
  writer->EndObject();
}

void WriteResponse(const std::optional<std::string>& response, const Personality& reader, JsonWriter* writer) {
  writer->Key("allocResp");
  response.has_value() ? writer->Base64(*response) : writer->Null();
  writer->Key("allocRespParses");
  writer->Bool(KubeletParsesAllocResponse(reader, response.value_or("")));
}

void BeginEntry(const DeviceEntry& entry, JsonWriter* writer) {
  writer->BeginObject();
  WriteText("podUID", entry.pod_uid, writer);
  WriteText("containerName", entry.container_name, writer);
  WriteText("resourceName", entry.resource_name, writer);
}

void WriteEntry(const DeviceEntry& entry, DeviceFormat shape, const Personality& reader, JsonWriter* writer) {
  if (shape != DeviceFormat::kV0Of18) {
    BeginEntry(entry, writer);
    WriteDevices(entry, shape, writer);
    WriteResponse(entry.alloc_response, reader, writer);
    return writer->EndObject();
  }
  for (const std::string_view id : FlatDevices(entry)) {
    BeginEntry(entry, writer);
    WriteText("deviceID", id, writer);
    writer->EndObject();
  }
}

}  // namespace

void WriteDeviceContentJson(const DeviceContent& content, DeviceFormat shape, JsonWriter* writer,
                            const Personality& reader) {
  writer->BeginObject();
  writer->Key("entries");
  if (content.entries.has_value()) {
    writer->BeginArray();
    for (const DeviceEntry& entry : *content.entries) WriteEntry(entry, shape, reader, writer);
    writer->EndArray();
  } else {
    writer->Null();
  }
  writer->Key("registered");
  WriteRegistered(content.registered, writer);
  writer->EndObject();
}

}  // namespace kubelet_cm::deviceplugin
