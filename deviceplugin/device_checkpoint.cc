#include "deviceplugin/device_checkpoint.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/errno_status.h"
#include "deviceplugin/checkpoint/device_encoder.h"
#include "deviceplugin/checkpoint/device_layout.h"

namespace kubelet_cm::deviceplugin {
namespace {

// Of what stands under the checksum, at a time.
constexpr size_t kPreparedBytes = 64 << 10;

std::optional<std::string> BytesOnDisk(DeviceRestore& restored) {
  if (!restored.format.has_value()) return std::nullopt;
  return std::move(restored.bytes);
}

}  // namespace

DeviceCheckpoint::DeviceCheckpoint(CheckpointManager& manager, Threads& threads, DeviceChangeSource& changes,
                                   const Personality& kubelet, DeviceRestore restored)
    : changes_(changes),
      format_(kubelet.device_writes.value_or(DeviceFormat::kV2)),
      restored_(std::move(restored.content)),
      writer_(manager, threads, *this, {.key = kDeviceCheckpointKey, .on_disk = BytesOnDisk(restored)}) {}

absl::Status DeviceCheckpoint::WaitDurable(uint64_t number) {
  const absl::Status written = writer_.WaitDurable(number);
  if (written.ok()) return written;
  return Reworded(written,
                  absl::StrCat("failed to write checkpoint file \"", kDeviceCheckpointKey, "\": ", written.message()));
}

uint64_t DeviceCheckpoint::Render(std::string& bytes) {
  DeviceChanges changes = changes_.TakeChanges();
  DeviceCheckpointText& text = Text();
  for (LedgerChange& change : changes.entries) {
    if (change.entry.has_value()) {
      text.Set(*std::move(change.entry));
    } else {
      text.Remove({change.key.pod_uid, change.key.container_name, change.key.resource_name});
    }
  }
  if (changes.registered.has_value()) text.SetRegistered(*std::move(changes.registered));
  if (format_ == DeviceFormat::kV2) {
    text.Render(&bytes);
  } else {
    bytes = EncodeDevices(text.Content(), LayoutOf(format_));
  }
  return changes.number;
}

bool DeviceCheckpoint::Prepare() {
  // Older formats are written from nothing each time.
  return format_ == DeviceFormat::kV2 && Text().Prepare(kPreparedBytes);
}

DeviceCheckpointText& DeviceCheckpoint::Text() {
  if (!text_.has_value()) {
    text_.emplace(*std::move(restored_));
    restored_.reset();
  }
  return *text_;
}

}  // namespace kubelet_cm::deviceplugin
