// DraCheckpoint: the DRA manager's state file, after the start: takes the changes of the state and writes them.
//
// Whoever changed the state waits with WaitDurable for its number, holding no lock; one of those who wait writes for
// all (CheckpointWriter). What is written is the format of the emulated kubelet; one that keeps no such file waits for
// nothing.
//
// Thread-safe.
#ifndef KUBELET_CM_DRA_DRA_CHECKPOINT_H_
#define KUBELET_CM_DRA_DRA_CHECKPOINT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "common/gotext/json_string.h"
#include "common/personality/personality.h"
#include "common/threads/threads.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/dra_checkpoint_text.h"
#include "dra/checkpoint/legacy_claim.h"
#include "dra/claim/claim_plans.h"
#include "dra/dra_restore.h"

namespace kubelet_cm::dra {

// What has changed since the last time.
struct DraChanges {
  uint64_t number = 0;                   // of the newest state, in which they end
  std::vector<ClaimChange> claims = {};  // by key, each once
};

// The state behind the file. Called by one thread at a time, which holds no lock, but for WriteFailed.
class DraChangeSource {
 public:
  virtual ~DraChangeSource() = default;

  // Hands the changes over: they are not told again.
  virtual DraChanges TakeChanges() = 0;
  // All claims, for formats of before 1.31; the changes are handed over with it.
  virtual uint64_t TakeLegacyClaims(LegacyClaimList* claims) = 0;
  // What was taken is not on the disk. Whoever waits for the newest state from now on wants it written again.
  virtual void WriteFailed() = 0;
};

class DraCheckpoint : private CheckpointSource {
 public:
  // `restored` is what the file holds and where the state of `changes` began, as number 0. What is referred to outlives
  // the object.
  DraCheckpoint(CheckpointManager& manager, Threads& threads, DraChangeSource& changes, const Personality& kubelet,
                DraRestore restored);

  // OK when the state of this number, or a later one, survives a power cut.
  absl::Status WaitDurable(uint64_t number);

  // For a thread with nothing else to do: makes what the first write after a start waits for otherwise. True while
  // something remains.
  bool PrepareNext() { return writer_.PrepareNext(); }

  uint64_t durable() const { return writer_.durable(); }
  CheckpointWriterCounts counts() const { return writer_.counts(); }

 private:
  uint64_t Render(std::string& bytes) override;
  bool Prepare() override;

  DraChangeSource& changes_;
  const std::optional<DraFormat> format_;  // nothing: no file
  const ControlEscapes escapes_;
  // The writing thread's; of formats of 1.31 on.
  ClaimList restored_;  // not in the text yet: a start leaves that to the first write
  DraCheckpointText text_;
  // Last: it calls Render.
  CheckpointWriter writer_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_CHECKPOINT_H_
