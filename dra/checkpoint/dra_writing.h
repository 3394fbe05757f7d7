// Writes the DRA manager's state file in any format, and says what that format cannot hold.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_DRA_WRITING_H_
#define KUBELET_CM_DRA_CHECKPOINT_DRA_WRITING_H_

#include <cstdint>
#include <string>
#include <vector>

#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/dra_reading.h"

namespace kubelet_cm::dra {

struct WrittenDra {
  std::string bytes;
  uint32_t checksum = 0;
  std::vector<std::string> losses = {};  // sentences
};

// The claims as that version writes them.
WrittenDra WriteDraCheckpoint(const ClaimList& claims, DraFormat format,
                              ControlEscapes escapes = ControlEscapes::kShort);

// What that version writes when it finds no file.
WrittenDra WriteEmptyDraCheckpoint(DraFormat format);

// What ReadDraCheckpoint read, in another format. What both formats have is kept, also of those before 1.31; the losses
// are those of reading and of writing.
WrittenDra ConvertDraCheckpoint(const DraReading& reading, DraFormat format,
                                ControlEscapes escapes = ControlEscapes::kShort);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_DRA_WRITING_H_
