// CheckpointWriter: the one writer of one state file, shared by all who change the state.
//
// Whoever owns the state numbers its changes 1, 2, 3, ... and implements CheckpointSource. After a change, and with no
// lock held, a caller waits:
//
//   uint64_t number;
//   { MutexLock lock(&mu_); ledger_.Commit(...); number = ++changes_; }
//   RETURN_IF_ERROR(writer_.WaitDurable(number));
//
// One of those who wait writes, for all: it renders the newest state there is, so callers that come while a write is
// under way share the next one. There is no thread of its own, and so no hand-over between threads where one caller is
// alone. The file never goes back to an older state; bytes that are there already are not written again, and of a large
// file (ReplacedFile) only those that differ from what it held two states ago.
//
// Thread-safe.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_WRITER_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_WRITER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "common/filesystem/replaced_file.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

// The state behind a file. Called by one thread at a time, which holds no lock of the writer.
class CheckpointSource {
 public:
  virtual ~CheckpointSource() = default;

  // Overwrites `bytes` (whose memory is worth keeping) with the file's contents for the newest state, and returns the
  // number of that state: never lower than in an earlier call, and not lower than any that WaitDurable was called with.
  virtual uint64_t Render(std::string& bytes) = 0;

  // For idle time: makes a little of what the next Render would have to make. True while something remains.
  virtual bool Prepare() { return false; }
};

struct CheckpointWriterOptions {
  std::string key;
  // What is in the file, when it was read before: then a state with the same bytes is durable without a write.
  std::optional<std::string> on_disk = std::nullopt;
};

// What was done so far; for metrics and tests.
struct CheckpointWriterCounts {
  uint64_t writes = 0;     // that succeeded
  uint64_t failures = 0;   // of writing
  uint64_t unchanged = 0;  // states whose bytes were on the disk already
  uint64_t bytes = 0;      // written

  friend bool operator==(const CheckpointWriterCounts&, const CheckpointWriterCounts&) = default;
};

class CheckpointWriter {
 public:
  // What is given outlives the writer. State 0 is what the file held before.
  CheckpointWriter(CheckpointManager& manager, Threads& threads, CheckpointSource& source,
                   CheckpointWriterOptions options);
  CheckpointWriter(const CheckpointWriter&) = delete;
  CheckpointWriter& operator=(const CheckpointWriter&) = delete;

  // Returns when a state of this number or a later one survives a power cut; or with the error of the write that was to
  // bring it there. After an error the file holds an older state or (as far as the disk can tell) this one, and nobody
  // tries again before somebody waits for a later number.
  absl::Status WaitDurable(uint64_t number) ABSL_LOCKS_EXCLUDED(mu_);

  // For a thread with nothing else to do: lets the source prepare a little, as soon as nobody writes. Who comes with a
  // change meanwhile waits for that little. True while something remains.
  bool PrepareNext() ABSL_LOCKS_EXCLUDED(mu_);

  // The newest number that is known to be durable.
  uint64_t durable() const ABSL_LOCKS_EXCLUDED(mu_);
  CheckpointWriterCounts counts() const ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Outcome {
    uint64_t number = 0;
    absl::Status status;
    bool unchanged = false;
  };
  // Renders and writes. By the thread that set writing_, which owns the two buffers until it takes it back.
  Outcome WriteNewest() ABSL_LOCKS_EXCLUDED(mu_);
  void Record(const Outcome& outcome) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  CheckpointManager& manager_;
  CheckpointSource& source_;

  mutable Mutex mu_;
  const std::unique_ptr<Condition> written_;
  bool writing_ ABSL_GUARDED_BY(mu_) = false;
  uint64_t durable_ ABSL_GUARDED_BY(mu_) = 0;
  // Of the last attempt, if it failed: the state that it was to write.
  uint64_t failed_ ABSL_GUARDED_BY(mu_) = 0;
  absl::Status failure_ ABSL_GUARDED_BY(mu_);
  CheckpointWriterCounts counts_ ABSL_GUARDED_BY(mu_);

  // The writing thread's.
  const absl::StatusOr<std::unique_ptr<ReplacedFile>> file_;  // an error: the key can have no file
  std::string rendered_;
  std::optional<std::string> on_disk_;  // nothing: not known
  uint64_t last_rendered_ = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_WRITER_H_
