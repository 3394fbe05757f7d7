#include "dra/checkpoint/dra_writing.h"

#include <utility>

#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

bool IsLegacy(DraFormat format) { return format < DraFormat::k131; }

WrittenDra WriteLegacy(const LegacyClaimList& claims, DraFormat format, ControlEscapes escapes) {
  return {.bytes = EncodeLegacy(claims, format, escapes), .checksum = LegacyChecksum(kLegacyVersion, claims, format)};
}

}  // namespace

WrittenDra WriteDraCheckpoint(const ClaimList& claims, DraFormat format, ControlEscapes escapes) {
  if (IsLegacy(format)) {
    ConvertedLegacyClaims converted = ToLegacyClaims(claims, format);
    WrittenDra written = WriteLegacy(converted.claims, format, escapes);
    written.losses = std::move(converted.losses);
    return written;
  }
  EncodedClaims encoded = EncodeClaims(claims, format, escapes);
  return {.bytes = std::move(encoded.bytes), .checksum = encoded.checksum, .losses = LostInFormat(claims, format)};
}

WrittenDra WriteEmptyDraCheckpoint(DraFormat format) {
  if (IsLegacy(format)) return WriteLegacy(LegacyCheckpoint().claims, format, ControlEscapes::kShort);
  return WriteDraCheckpoint(ClaimList(), format);
}

WrittenDra ConvertDraCheckpoint(const DraReading& reading, DraFormat format, ControlEscapes escapes) {
  if (IsLegacy(reading.format) && IsLegacy(format)) {
    // A list that is nil cannot be read again: upstream hashes it as nil and leaves it out.
    const LegacyClaimList& claims = reading.legacy_claims;
    WrittenDra written = claims.is_nil() ? WriteEmptyDraCheckpoint(format) : WriteLegacy(claims, format, escapes);
    written.losses = LostInFormat(claims, format);
    return written;
  }
  WrittenDra written = WriteDraCheckpoint(reading.claims, format, escapes);
  if (IsLegacy(format) && reading.claims.is_nil()) written = WriteEmptyDraCheckpoint(format);
  written.losses.insert(written.losses.begin(), reading.losses.begin(), reading.losses.end());
  return written;
}

}  // namespace kubelet_cm::dra
