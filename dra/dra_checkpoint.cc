#include "dra/dra_checkpoint.h"

#include <algorithm>
#include <utility>

#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

std::optional<std::string> BytesOnDisk(DraRestore& restored) {
  if (!restored.format.has_value()) return std::nullopt;
  return std::move(restored.bytes);
}

ControlEscapes EscapesOf(const Personality& kubelet) {
  return kubelet.short_control_escapes ? ControlEscapes::kShort : ControlEscapes::kNumeric;
}

}  // namespace

DraCheckpoint::DraCheckpoint(CheckpointManager& manager, Threads& threads, DraChangeSource& changes,
                             const Personality& kubelet, DraRestore restored)
    : changes_(changes),
      format_(kubelet.dra_writes),
      escapes_(EscapesOf(kubelet)),
      restored_(std::move(restored.claims)),
      text_(std::max(format_.value_or(DraFormat::k137), DraFormat::k131), escapes_),
      writer_(manager, threads, *this, {.key = kDraCheckpointKey, .on_disk = BytesOnDisk(restored)}) {}

absl::Status DraCheckpoint::WaitDurable(uint64_t number) {
  if (!format_.has_value()) {
    changes_.TakeChanges();
    return absl::OkStatus();
  }
  absl::Status written = writer_.WaitDurable(number);
  if (!written.ok()) changes_.WriteFailed();
  return written;
}

uint64_t DraCheckpoint::Render(std::string& bytes) {
  if (*format_ < DraFormat::k131) {
    LegacyClaimList claims;
    const uint64_t number = changes_.TakeLegacyClaims(&claims);
    bytes = EncodeLegacy(claims, *format_, escapes_);
    return number;
  }
  Prepare();
  const DraChanges changes = changes_.TakeChanges();
  for (const ClaimChange& change : changes.claims) {
    if (change.state.has_value()) {
      text_.Set(*change.state);
    } else {
      text_.Remove(change.key);
    }
  }
  text_.Render(&bytes);
  return changes.number;
}

bool DraCheckpoint::Prepare() {
  // Older formats are written from nothing each time, and where there is no file, nothing is.
  if (!format_.has_value() || *format_ < DraFormat::k131) return false;
  for (const ClaimState& claim : std::exchange(restored_, {})) text_.Set(claim);
  return false;
}

}  // namespace kubelet_cm::dra
