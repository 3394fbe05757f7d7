// Any JSON, taken for the claims of every format: decoded, encoded and decoded again, which must change nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/gotext/json_document.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/claim_invariants.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

void DecodeInner(JsonValue root, DraFormat format) {
  ClaimList claims;
  if (!DecodeClaims(root, format, &claims).ok()) return;
  ClaimProblems(claims);
  ToLegacyClaims(claims, DraFormat::k128);
  const std::string inner = EncodeInnerClaims(claims, format, ControlEscapes::kShort);
  const auto document = JsonDocument::Parse(inner);
  CHECK(document.ok()) << document.status();
  ClaimList again;
  CHECK(DecodeClaims(document->root(), format, &again).ok()) << inner;
  CHECK(EncodeInnerClaims(again, format, ControlEscapes::kShort) == inner) << inner;
}

void DecodeOld(JsonValue root, DraFormat format) {
  LegacyCheckpoint checkpoint;
  if (!DecodeLegacy(root, format, &checkpoint).ok()) return;
  ClaimProblems(FromLegacyClaims(checkpoint.claims).claims);
  const std::string file = EncodeLegacy(checkpoint.claims, format, ControlEscapes::kNumeric);
  const auto document = JsonDocument::Parse(file);
  CHECK(document.ok()) << document.status();
  LegacyCheckpoint again;
  CHECK(DecodeLegacy(document->root(), format, &again).ok()) << file;
  // Vendors' JSON is made compact when it is written, so its checksum may differ from then on.
  CHECK(!EncodeLegacy(again.claims, format, ControlEscapes::kNumeric).empty()) << file;
  if (format != DraFormat::k130 && !checkpoint.claims.is_nil()) CHECK(again.claims == checkpoint.claims) << file;
}

void Decode(std::string_view bytes) {
  const auto document = JsonDocument::Parse(bytes);
  if (!document.ok()) return;
  ClaimCheckpoint outer;
  if (DecodeClaimCheckpoint(document->root(), &outer).ok() && outer.data != bytes) Decode(outer.data);
  for (const DraFormat format : {DraFormat::k131, DraFormat::k135, DraFormat::k137})
    DecodeInner(document->root(), format);
  for (const DraFormat format : {DraFormat::k127, DraFormat::k128, DraFormat::k130})
    DecodeOld(document->root(), format);
}

}  // namespace
}  // namespace kubelet_cm::dra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto document = kubelet_cm::JsonDocument::Parse(bytes);
  if (!document.ok()) return 0;
  kubelet_cm::dra::Decode(bytes);
  return 0;
}
