#include "deviceplugin/checkpoint/device_detection.h"

#include <optional>
#include <string_view>

#include "common/gotext/json_decoder.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::optional<JsonValue> Find(JsonValue object, std::string_view name) {
  for (const auto [key, value] : object.members()) {
    if (FieldMatches(name, key.text())) return value;
  }
  return std::nullopt;
}

// The first list or object of devices in the content decides; the nulls before it fit both.
std::optional<JsonType> TypeOfDevices(JsonValue content) {
  for (const auto [key, entries] : content.members()) {
    if (!FieldMatches("PodDeviceEntries", key.text())) continue;
    for (const JsonValue entry : entries.elements()) {
      const std::optional<JsonValue> devices = Find(entry, "DeviceIDs");
      if (devices.has_value() && devices->type() != JsonType::kNull) return devices->type();
    }
  }
  return std::nullopt;
}

// Whether an entry holds a device, as those of 1.8 do; the claims of another manager's list do not.
bool HoldDevices(JsonValue entries) {
  // NOLINTNEXTLINE(readability-use-anyofallof): JSON views have iterators for loops only
  for (const JsonValue entry : entries.elements()) {
    if (Find(entry, "DeviceID").has_value()) return true;
  }
  return false;
}

}  // namespace

std::vector<DeviceLayout> DetectDeviceLayouts(JsonValue root) {
  if (root.type() != JsonType::kObject) return {};
  if (const std::optional<JsonValue> data = Find(root, "Data")) {
    if (data->type() == JsonType::kString) return {};  // of the DRA manager
    if (TypeOfDevices(*data) == JsonType::kArray) return {DeviceLayout::kV1, DeviceLayout::kV2};
    return {DeviceLayout::kV2, DeviceLayout::kV1};
  }
  if (Find(root, "PodDeviceEntries") || Find(root, "RegisteredDevices")) return {DeviceLayout::kV0Of19};
  // In lower case it is the list of another manager, with a checksum beside it.
  const std::optional<JsonValue> checksum = Find(root, "Checksum");
  const std::optional<JsonValue> entries = Find(root, "Entries");
  if (entries.has_value() && (!checksum || HoldDevices(*entries))) return {DeviceLayout::kV0Of18};
  if (checksum && root.size() == 1) return {DeviceLayout::kV2, DeviceLayout::kV1};
  return {};
}

}  // namespace kubelet_cm::deviceplugin
