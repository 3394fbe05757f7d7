#include "tools/cmctl/checkpoint/claim_rewriting.h"

#include <string>
#include <utility>
#include <vector>

#include "dra/checkpoint/claim_codec.h"
#include "dra/checkpoint/dra_conversion.h"
#include "dra/checkpoint/legacy_codec.h"

namespace kubelet_cm::cmctl {
namespace {

void Append(std::vector<std::string> more, std::vector<std::string>* all) {
  all->insert(all->end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

ControlEscapes EscapesOf(DraFormat format) {
  return format < DraFormat::k130 ? ControlEscapes::kNumeric : ControlEscapes::kShort;
}

Rewritten RewriteClaims(const dra::DraReading& reading, DraFormat to) {
  Rewritten rewritten{std::string(FormatName(to)), "", {}};
  const bool from_legacy = reading.format < DraFormat::k131;
  if (to >= DraFormat::k131) {
    if (from_legacy) rewritten.lost = reading.losses;
    Append(dra::LostInFormat(reading.claims, to), &rewritten.lost);
    rewritten.bytes = dra::EncodeClaims(reading.claims, to, EscapesOf(to)).bytes;
  } else if (from_legacy) {
    rewritten.lost = dra::LostInFormat(reading.legacy_claims, to);
    rewritten.bytes = dra::EncodeLegacy(reading.legacy_claims, to, EscapesOf(to));
  } else {
    dra::ConvertedLegacyClaims converted = dra::ToLegacyClaims(reading.claims, to);
    rewritten.lost = std::move(converted.losses);
    rewritten.bytes = dra::EncodeLegacy(converted.claims, to, EscapesOf(to));
  }
  return rewritten;
}

}  // namespace kubelet_cm::cmctl
