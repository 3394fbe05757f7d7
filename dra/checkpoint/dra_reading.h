// Reads the DRA manager's state file, dra_manager_state, of any version: as a given kubelet would, or as this project
// does, which takes every format.
//
//   DraReading reading = ReadDraCheckpointAs(*PersonalityOf(version).value(), bytes);   // that kubelet's view
//   DraReading ours = ReadDraCheckpoint(bytes);                                         // all formats, newest form
//
// What wrote a file is seen as far as it can be: from 1.31 on by the keys that are there (a device without "ShareID":
// 1.31 to 1.34; "skipNodeOperations": 1.37 on; a file without devices: any of them), before by the checksum, which is
// over another dump in each version (resource handles: 1.28 on; without any, 1.28 to 1.30 hash the same).
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_DRA_READING_H_
#define KUBELET_CM_DRA_CHECKPOINT_DRA_READING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "checkpointmanager/checkpoint_problem.h"
#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/legacy_claim.h"

namespace kubelet_cm::dra {

// Where a reader gave up.
enum class DraStage {
  kDone,
  kNotRead,    // this kubelet has no such file
  kUnmarshal,  // the JSON of the file
  kChecksum,
  kClaimList,  // since 1.31: the JSON inside, which is read last
};

struct DraReading {
  // As which format the content was read.
  DraFormat format = DraFormat::k137;
  // ReadDraCheckpoint: the first and the last format whose writers could have written this file.
  DraFormat oldest_writer = DraFormat::k137;
  DraFormat newest_writer = DraFormat::k137;

  // OK: read, and the checksum is right. Else upstream's error: "failed to get checkpoint dra_manager_state: ...", or
  // that of the JSON inside alone. A wrong checksum is DataLoss with a ChecksumMismatch.
  absl::Status status = absl::OkStatus();
  DraStage stage = DraStage::kDone;

  // What the file says, if it could be read that far, and what it should say. Nothing stored is what a reader found
  // that had put in a default for it.
  std::optional<uint64_t> stored_checksum = std::nullopt;
  std::optional<uint64_t> computed_checksum = std::nullopt;

  // The content; of a file whose checksum is wrong, what was in it. In the reader's own form the one or the other;
  // ReadDraCheckpoint fills `claims` in any case.
  ClaimList claims = {};
  LegacyClaimList legacy_claims = {};
  // ReadDraCheckpoint of a format before 1.31: what `claims` could not hold, in sentences.
  std::vector<std::string> losses = {};

  std::vector<CheckpointProblem> problems = {};

  bool valid() const { return status.ok(); }
};

DraReading ReadDraCheckpointAs(const Personality& kubelet, std::string_view bytes);
DraReading ReadDraCheckpoint(std::string_view bytes);

// What a kubelet of this version says when it exits because of that reading.
std::string DraStartError(const Personality& kubelet, const DraReading& reading);

// {"claims":[...]} in the form of the format that was read, with its fields only.
std::string DraContentJson(const DraReading& reading);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_DRA_READING_H_
