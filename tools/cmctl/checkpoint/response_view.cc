#include "tools/cmctl/checkpoint/response_view.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/go_base64.h"
#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/alloc_response.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

// In the order of their keys, unlike Protobuf's.
template <typename Map>
std::map<std::string, std::string> Sorted(const Map& map) {
  return {map.begin(), map.end()};
}

void WriteText(std::string_view key, const std::string& value, JsonWriter* writer) {
  writer->Key(key);
  writer->String(value);
}

template <typename Map>
void WriteMap(std::string_view key, const Map& map, bool shown, JsonWriter* writer) {
  writer->Key(key);
  writer->BeginObject();
  for (const auto& [name, value] : Sorted(map)) WriteText(name, shown ? value : kRedacted, writer);
  writer->EndObject();
}

void WriteMounts(const v1beta1::ContainerAllocateResponse& response, JsonWriter* writer) {
  writer->Key("mounts");
  writer->BeginArray();
  for (const auto& mount : response.mounts()) {
    writer->BeginObject();
    WriteText("containerPath", mount.container_path(), writer);
    WriteText("hostPath", mount.host_path(), writer);
    writer->Key("readOnly");
    writer->Bool(mount.read_only());
    writer->EndObject();
  }
  writer->EndArray();
}

void WriteDevices(const v1beta1::ContainerAllocateResponse& response, JsonWriter* writer) {
  writer->Key("devices");
  writer->BeginArray();
  for (const auto& device : response.devices()) {
    writer->BeginObject();
    WriteText("containerPath", device.container_path(), writer);
    WriteText("hostPath", device.host_path(), writer);
    WriteText("permissions", device.permissions(), writer);
    writer->EndObject();
  }
  writer->EndArray();
  writer->Key("cdiDevices");
  writer->BeginArray();
  for (const auto& device : response.cdi_devices()) writer->String(device.name());
  writer->EndArray();
}

void AddCount(int count, std::string_view one, std::string_view many, std::vector<std::string>* parts) {
  if (count > 0) parts->push_back(Counted(static_cast<size_t>(count), one, many));
}

void AddResponse(JsonValue entry, bool secrets, JsonWriter* writer) {
  std::string bytes;
  writer->BeginObject();
  for (const auto [key, value] : entry.members()) {
    writer->Key(key.text());
    const bool is_response = key.text() == "allocResp";
    if (is_response && value.type() == JsonType::kString) DecodeGoBase64(value.text(), &bytes);
    is_response && !secrets && !bytes.empty() ? writer->String(kRedacted) : writer->Raw(value.literal());
  }
  writer->Key("response");
  WriteResponseJson(bytes, secrets, writer);
  writer->EndObject();
}

}  // namespace

std::vector<ResponseItem> ResponseItems(std::string_view bytes) {
  const auto response = deviceplugin::ParseAllocResponse(bytes);
  if (!response.ok()) return {{"unreadable", absl::StrCat(bytes.size(), " bytes"), ""}};
  std::vector<ResponseItem> items;
  for (const auto& [name, value] : Sorted(response->envs())) items.push_back({"env", name, value});
  for (const auto& mount : response->mounts()) {
    items.push_back({"mount",
                     absl::StrCat(mount.host_path(), " -> ", mount.container_path(),
                                  mount.read_only() ? " (read-only)" : " (read-write)"),
                     ""});
  }
  for (const auto& device : response->devices()) {
    items.push_back({"device",
                     absl::StrCat(device.host_path(), " -> ", device.container_path(), " (", device.permissions(), ")"),
                     ""});
  }
  for (const auto& [name, value] : Sorted(response->annotations())) items.push_back({"annotation", name, value});
  for (const auto& device : response->cdi_devices()) items.push_back({"cdi", device.name(), ""});
  return items;
}

std::string ItemText(const ResponseItem& item, bool secrets) {
  std::string text = absl::StrCat(item.kind, " ", Printable(item.name));
  if (item.kind == "env") absl::StrAppend(&text, "=", secrets ? Printable(item.value) : kRedacted);
  if (item.kind == "annotation") absl::StrAppend(&text, "=", Printable(item.value));
  return text;
}

std::string ResponseSummary(std::string_view bytes) {
  const auto response = deviceplugin::ParseAllocResponse(bytes);
  if (!response.ok()) return "unreadable";
  std::vector<std::string> parts;
  AddCount(static_cast<int>(response->envs_size()), "env", "envs", &parts);
  AddCount(response->mounts_size(), "mount", "mounts", &parts);
  AddCount(response->devices_size(), "device", "devices", &parts);
  AddCount(static_cast<int>(response->annotations_size()), "annotation", "annotations", &parts);
  AddCount(response->cdi_devices_size(), "cdi", "cdi", &parts);
  return parts.empty() ? "none" : absl::StrJoin(parts, ", ");
}

void WriteResponseJson(std::string_view bytes, bool secrets, JsonWriter* writer) {
  const auto response = deviceplugin::ParseAllocResponse(bytes);
  if (!response.ok()) return writer->Null();
  writer->BeginObject();
  WriteMap("envs", response->envs(), secrets, writer);
  WriteMap("annotations", response->annotations(), true, writer);
  WriteMounts(*response, writer);
  WriteDevices(*response, writer);
  writer->EndObject();
}

std::string AddResponses(std::string_view content_json, bool secrets) {
  const auto document = JsonDocument::Parse(content_json);
  if (!document.ok() || document->root().type() != JsonType::kObject) return std::string(content_json);
  std::string out;
  JsonWriter writer(&out);
  writer.BeginObject();
  for (const auto [key, value] : document->root().members()) {
    writer.Key(key.text());
    if (key.text() != "entries" || value.type() != JsonType::kArray) {
      writer.Raw(value.literal());
      continue;
    }
    writer.BeginArray();
    for (const JsonValue entry : value.elements()) AddResponse(entry, secrets, &writer);
    writer.EndArray();
  }
  writer.EndObject();
  return out;
}

}  // namespace kubelet_cm::cmctl
