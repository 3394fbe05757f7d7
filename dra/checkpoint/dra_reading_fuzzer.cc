// Any bytes: given to every kubelet and to salvage; what is accepted is encoded and read again, which must change
// nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/personality/personality.h"
#include "common/status/check.h"
#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_checkpoint_text.h"
#include "dra/checkpoint/dra_reading.h"
#include "dra/checkpoint/dra_salvage.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::dra {
namespace {

void CheckEncoding(const DraReading& reading) {
  if (reading.format < DraFormat::k131) return;  // vendors' JSON of 1.30 may change its spelling
  const DraReading again = ReadDraCheckpoint(EncodeClaims(reading.claims, reading.format).bytes);
  CHECK(again.valid()) << again.status;
  CHECK(DraContentJson(again) == DraContentJson(reading)) << DraContentJson(reading);
}

void CheckText(const ClaimList& claims) {
  DraCheckpointText text(DraFormat::k137);
  for (const ClaimState& claim : claims) text.Set(claim);
  std::string bytes;
  text.Render(&bytes);
  const DraReading again = ReadDraCheckpoint(bytes);
  CHECK(again.valid() && again.claims.size() == text.size()) << bytes;
}

void Read(std::string_view bytes) {
  for (const Personality& kubelet : AllPersonalities()) {
    if (!kubelet.dra_writes.has_value()) continue;
    const DraReading reading = ReadDraCheckpointAs(kubelet, bytes);
    CHECK(reading.valid() == reading.problems.empty()) << reading.status;
  }
  const DraReading ours = ReadDraCheckpoint(bytes);
  const DraSalvage salvage = SalvageDra(bytes);
  CheckText(salvage.claims);
  if (!ours.valid()) return;
  CHECK(salvage.claims == ours.claims) << bytes;
  CheckEncoding(ours);
}

}  // namespace
}  // namespace kubelet_cm::dra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kubelet_cm::dra::Read(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
