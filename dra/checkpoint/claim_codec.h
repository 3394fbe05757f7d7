// The DRA state files of Kubernetes 1.31 and newer: {"Data":"<JSON in a JSON string>","Checksum":N}, the checksum being
// the CRC-32 of the inner JSON. Later versions add fields, and leave out what they do not know when they read:
//
//   k131  1.31 to 1.34
//   k135  1.35 and 1.36: "ShareID" in every device
//   k137  1.37 on: "skipNodeOperations" in a driver's state, where there are any
//
// Pure functions. DraFormat is one of these throughout.
#ifndef KUBELET_CM_DRA_CHECKPOINT_CLAIM_CODEC_H_
#define KUBELET_CM_DRA_CHECKPOINT_CLAIM_CODEC_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "common/gotext/json_document.h"
#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

// The inner JSON of a state without claims, as a kubelet writes it when it finds no file, and its checksum.
inline constexpr std::string_view kInnerWithoutClaims =
    R"({"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":null})";
inline constexpr uint32_t kChecksumWithoutClaims = 4010664294;

// The outer object. A new one is what a kubelet decodes into, a valid state without claims: what the file leaves out
// stays. After decoding it refers to the document.
struct ClaimCheckpoint {
  std::string_view data = kInnerWithoutClaims;
  uint32_t checksum = kChecksumWithoutClaims;
};

absl::Status DecodeClaimCheckpoint(JsonValue root, ClaimCheckpoint* out);

// What the inner JSON shows of the version that wrote it.
struct ClaimFields {
  bool devices = false;
  bool share_ids = false;
  bool skip_node_operations = false;
};

// Decodes the inner JSON. `seen`, if given, is set from the fields that are read and have been met.
absl::Status DecodeClaims(JsonValue inner_root, DraFormat format, ClaimList* out, ClaimFields* seen = nullptr);
// One element of "ClaimInfoStateList" alone.
absl::Status DecodeClaim(JsonValue element, DraFormat format, ClaimState* out);

struct EncodedClaims {
  std::string bytes;
  uint32_t checksum;
};

// The file as that version writes it.
EncodedClaims EncodeClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes = ControlEscapes::kShort);
// The inner JSON alone.
std::string EncodeInnerClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes);

// The list or one claim as JSON, with the fields that this version has.
void AppendClaims(const ClaimList& claims, DraFormat format, ControlEscapes escapes, std::string* out);
void AppendClaim(const ClaimState& claim, DraFormat format, ControlEscapes escapes, std::string* out);

// Parts of a file, for writers that put it together: head, claims with commas between, tail, and the decimal checksum
// and a brace. Each as it stands in the inner JSON, and in the file.
inline constexpr std::string_view kInnerHead =
    R"({"kind":"DRACheckpoint","apiVersion":"checkpoint.dra.kubelet.k8s.io/v1","ClaimInfoStateList":)";
inline constexpr std::string_view kFileHead =
    R"({"Data":"{\"kind\":\"DRACheckpoint\",\"apiVersion\":\"checkpoint.dra.kubelet.k8s.io/v1\",\"ClaimInfoStateList\":)";
inline constexpr std::string_view kInnerTail = "}";
inline constexpr std::string_view kFileTail = R"(}","Checksum":)";

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_CLAIM_CODEC_H_
