// Any JSON file that somebody keeps with the kubelet's checkpoint manager: what is in it, and how its checksum was
// made, as far as that can be seen. DRA drivers keep such files ({"checksum":N,"v1":{...}}), and so do other parts of
// the kubelet ({"data":"...","checksum":N}).
//
// The checkpoint manager leaves the checksum to its users. Tried are the ways that are in use:
//   - of the Go object: FNV-1a over a debug print, which names types of the program; that cannot be tried
//   - of the JSON with a checksum of 0, or without other versions' members: FNV-1a over the debug print of those bytes
//   - of a text inside of the JSON: FNV-1a over its debug print, or CRC-32
//   - CRC-32 or plain FNV-1a of any of these
// Where one fits that is said, and it is proof enough; where none fits, the file may still be right.
//
// Pure functions.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_GENERIC_CHECKPOINT_H_
#define KUBELET_CM_CHECKPOINTMANAGER_GENERIC_CHECKPOINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace kubelet_cm {

struct GenericMember {
  std::string name;
  std::string description;  // "object with 2 members", "text of 120 bytes", "number 5"
  int64_t offset;           // of the value in the file
};

struct GenericChecksum {
  std::string path;                     // "checksum", "v2.checksum"
  std::optional<uint64_t> stored;       // nothing: not a number that fits
  int64_t offset;                       // of the value in the file
  std::optional<std::string> verified;  // how it fits, in words; nothing: it could not be verified
};

struct GenericCheckpoint {
  absl::Status status = absl::OkStatus();  // Go's error if it is not JSON; InvalidArgument if it is not an object
  std::vector<GenericMember> members = {};
  std::vector<GenericChecksum> checksums = {};  // of the file, then of its members
  std::vector<std::string> explanation = {};    // sentences
};

GenericCheckpoint ExplainGenericCheckpoint(std::string_view bytes);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_GENERIC_CHECKPOINT_H_
