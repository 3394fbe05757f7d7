// The DRA state files of Kubernetes 1.27 to 1.30: {"version":"v1","entries":[...],"checksum":N}, the checksum being
// FNV-1a over a Go dump of the decoded object. What is written and hashed depends on the version: 1.27 has no
// resource handles, 1.30 has structured data in them, which changes the dump even where there is none.
//
// Pure functions. DraFormat is k127, k128 or k130 throughout.
#ifndef KUBELET_CM_DRA_CHECKPOINT_LEGACY_CODEC_H_
#define KUBELET_CM_DRA_CHECKPOINT_LEGACY_CODEC_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/legacy_claim.h"

namespace kubelet_cm::dra {

inline constexpr std::string_view kLegacyVersion = "v1";

// The whole object of a file. A new one is what a kubelet decodes into: what the file leaves out stays.
struct LegacyCheckpoint {
  LegacyCheckpoint() { claims.Finish(0); }

  std::string version{kLegacyVersion};
  LegacyClaimList claims;  // not nil
  uint64_t checksum = 0;
};

// Decodes as that kubelet would; its error if it fails, and then `out` holds what could be decoded.
absl::Status DecodeLegacy(JsonValue root, DraFormat format, LegacyCheckpoint* out);
// One element of "entries" alone.
absl::Status DecodeLegacyClaim(JsonValue element, DraFormat format, LegacyClaim* out);

// What the checksum must be.
uint32_t LegacyChecksum(std::string_view version, const LegacyClaimList& claims, DraFormat format);

// What the checksum must be for 1.28 to 1.30 to take a file for one of 1.27. They rebuild that object to see: the
// version is always v1, and the list is never nil.
uint32_t RebuiltChecksumOf127(const LegacyClaimList& claims);

// The text that LegacyChecksum hashes.
std::string LegacyDump(std::string_view version, const LegacyClaimList& claims, DraFormat format);

// The file's bytes as that version writes them.
std::string EncodeLegacy(const LegacyClaimList& claims, DraFormat format, ControlEscapes escapes);

// The list as JSON, with the fields that this version has.
void AppendLegacyClaims(const LegacyClaimList& claims, DraFormat format, ControlEscapes escapes, std::string* out);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_LEGACY_CODEC_H_
