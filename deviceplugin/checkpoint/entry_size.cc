#include "deviceplugin/checkpoint/entry_size.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/gotext/json_writer.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/json_size.h"

namespace kubelet_cm::deviceplugin {
namespace {

// More than keys, brackets and one number take.
constexpr size_t kFrame = 128;

size_t JsonBytes(const DeviceEntry& entry) {
  std::string text;
  JsonWriter writer(&text);
  WriteDeviceEntry(entry, DeviceLayout::kV2, &writer);
  return text.size();
}

}  // namespace

size_t EntryBytesAtMost(const DeviceEntry& entry) {
  size_t bytes = kFrame + JsonBytesAtMost(entry.pod_uid) + JsonBytesAtMost(entry.container_name) +
                 JsonBytesAtMost(entry.resource_name);
  if (entry.alloc_response.has_value()) bytes += (entry.alloc_response->size() + 2) / 3 * 4;
  if (!entry.devices.has_value()) return bytes;
  for (const auto& [node, ids] : *entry.devices) {
    bytes += kFrame;
    if (!ids.has_value()) continue;
    for (const std::string& id : *ids) bytes += JsonBytesAtMost(id);
  }
  return bytes;
}

absl::Status CheckEntrySize(const DeviceEntry& entry, size_t limit) {
  if (EntryBytesAtMost(entry) <= limit) return absl::OkStatus();
  const size_t bytes = JsonBytes(entry);
  if (bytes <= limit) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat("devices of resource ", entry.resource_name, " and what their plugin says of them would take ",
                   bytes, " bytes of the state file, more than ", limit, " for one container"));
}

}  // namespace kubelet_cm::deviceplugin
