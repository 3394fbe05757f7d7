#include "tools/cmctl/checkpoint/recognition.h"

#include <utility>

#include "common/gotext/json_decoder.h"
#include "common/gotext/json_document.h"
#include "deviceplugin/checkpoint/device_reader.h"
#include "dra/checkpoint/dra_reading.h"
#include "tools/cmctl/checkpoint/claim_state_file.h"
#include "tools/cmctl/checkpoint/device_state_file.h"
#include "tools/cmctl/checkpoint/generic_state_file.h"
#include "tools/cmctl/checkpoint/health_state_file.h"
#include "tools/cmctl/checkpoint/plain_state_file.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr std::string_view kDeviceFile = "kubelet_internal_checkpoint";
constexpr std::string_view kClaimFile = "dra_manager_state";
constexpr std::string_view kHealthFile = "dra_health_state";

bool Mentions(std::string_view bytes, std::string_view word) { return bytes.find(word) != std::string_view::npos; }

std::unique_ptr<StateFile> Devices(std::string bytes, deviceplugin::DeviceFile file) {
  return std::make_unique<DeviceStateFile>(std::move(bytes), std::move(file));
}

std::unique_ptr<StateFile> Claims(std::string bytes) {
  dra::DraReading reading = dra::ReadDraCheckpoint(bytes);
  return std::make_unique<ClaimStateFile>(std::move(bytes), std::move(reading));
}

// What is no JSON any more: by the keys that are left in it.
std::unique_ptr<StateFile> RecogniseDamaged(std::string_view name, std::string bytes, const absl::Status& error) {
  if (name.starts_with(kHealthFile)) return HealthStateFileOf(bytes);
  const bool claims = Mentions(bytes, "ClaimInfoStateList") || Mentions(bytes, "DRACheckpoint") ||
                      Mentions(bytes, "\"entries\"") || Mentions(bytes, "\"ClaimUID\"");
  const bool devices = Mentions(bytes, "\"PodDeviceEntries\"") || Mentions(bytes, "\"RegisteredDevices\"") ||
                       Mentions(bytes, "\"Entries\"") || Mentions(bytes, "\"PodUID\"");
  if (devices || (!claims && name.starts_with(kDeviceFile))) {
    deviceplugin::DeviceFile file = deviceplugin::ReadDevices(bytes);
    return Devices(std::move(bytes), std::move(file));
  }
  if (claims || name.starts_with(kClaimFile)) return Claims(std::move(bytes));
  return UnknownStateFile(error);
}

bool HasMember(JsonValue root, std::string_view name, JsonType type) {
  // NOLINTNEXTLINE(readability-use-anyofallof): JSON views have iterators for loops only
  for (const auto [key, value] : root.members()) {
    if (FieldMatches(name, key.text()) && value.type() == type) return true;
  }
  return false;
}

// Those before 1.31 share "entries" and "checksum" with other managers' files, which name a policy.
bool HoldsClaims(JsonValue root) {
  if (HasMember(root, "Data", JsonType::kString)) return true;
  if (HasMember(root, "policyName", JsonType::kString)) return false;
  return HasMember(root, "version", JsonType::kString) || HasMember(root, "entries", JsonType::kArray) ||
         root.size() == 0;
}

}  // namespace

std::unique_ptr<StateFile> RecogniseStateFile(std::string_view name, std::string bytes) {
  const auto document = JsonDocument::Parse(bytes);
  if (!document.ok()) return RecogniseDamaged(name, std::move(bytes), document.status());
  const JsonValue root = document->root();
  deviceplugin::DeviceFile devices = deviceplugin::ReadDevices(bytes);
  const bool named_devices = name.starts_with(kDeviceFile);
  // Claims have lost their checksum; 1.8 writes its list in capitals.
  const bool lost_checksum = devices.format == DeviceFormat::kV0Of18 && HasMember(root, "version", JsonType::kString);
  // {"Checksum":N} and {"Data":null} can be of either kind: where only the claims' reader takes it, it is that one's.
  const bool claims_alone = !named_devices && !devices.valid() && devices.format >= DeviceFormat::kV1 &&
                            dra::ReadDraCheckpoint(bytes).valid();
  if (devices.format.has_value() && (named_devices || !lost_checksum) && !claims_alone) {
    return Devices(bytes, std::move(devices));
  }
  if (claims_alone) return Claims(bytes);
  if (root.type() == JsonType::kObject) {
    if (HoldsHealth(root) || name.starts_with(kHealthFile)) return HealthStateFileOf(bytes);
    if (HoldsClaims(root) && !named_devices) return Claims(bytes);
    if (auto generic = GenericStateFileOf(bytes)) return generic;
  }
  if (name.starts_with(kClaimFile)) return Claims(bytes);
  if (named_devices) return Devices(bytes, std::move(devices));
  return UnknownStateFile(absl::OkStatus());
}

}  // namespace kubelet_cm::cmctl
