// FaultPlan: what goes wrong with which file operation. FaultyFileSystem asks it before every operation.
//
//   FaultPlan plan;
//   plan.Arm({.ops = {FileOp::kSyncFile}, .path_pattern = "checkpoint$", .effect = FaultEffect::kFail, .error = EIO});
//   plan.Arm({.nth = 12, .effect = FaultEffect::kStopAfter});   // killed once the 12th operation has taken effect
//
// A sweep runs its scenario once without faults, reads operations(), and then runs it once per operation with a fault
// armed there.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_FAULT_PLAN_H_
#define KUBELET_CM_COMMON_FILESYSTEM_FAULT_PLAN_H_

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/threads/mutex.h"
#include "re2/re2.h"

namespace kubelet_cm {

enum class FileOp {
  kOpen,
  kRead,
  kWrite,
  kWriteAt,
  kResize,
  kSyncFile,
  kLock,
  kTakeAlone,
  kClose,
  kRename,
  kExchange,
  kLink,
  kUnlink,
  kList,
  kStat,
  kLstat,
  kMakeFolders,
  kSyncFolder,
  kChmod,
};

// "open", "fsync", "fsync folder", ...
absl::string_view FileOpName(FileOp op);

struct FileOperation {
  FileOp op;
  std::string path;
  std::string to = {};  // of a rename, an exchange or a link
  size_t bytes = 0;     // of a write

  std::string ToString() const;  // "rename /a /b"
  friend bool operator==(const FileOperation&, const FileOperation&) = default;
  friend std::ostream& operator<<(std::ostream& os, const FileOperation& operation) {
    return os << operation.ToString();
  }
};

// How things stand when an operation begins: numbers that grow with every change.
struct CrashMoment {
  uint64_t disk = 0;     // of the disk, or of what of it is certain to survive a power cut
  uint64_t outside = 0;  // of anything else that outlives the process

  friend bool operator==(const CrashMoment&, const CrashMoment&) = default;
};

enum class FaultEffect {
  kFail,             // the operation does nothing and returns the error (a close closes even so)
  kFailAfterEffect,  // the operation takes effect and returns the error even so
  kSkip,             // the operation does nothing and claims success; for operations that return no value
  kStopBefore,       // the process is killed before the operation takes effect
  kStopAfter,        // the process is killed when the operation has taken effect and before it returns
};

struct Fault {
  std::vector<FileOp> ops = {};   // which operations match; empty: all
  std::string path_pattern = {};  // RE2, found anywhere in the path (where there are two: in either); empty: all
  uint64_t nth = 1;               // strikes at the n-th match after it was armed
  bool persistent = false;        // and at every match from then on
  FaultEffect effect = FaultEffect::kFail;
  int error = EIO;
  size_t bytes_written = 0;  // with kFail and kStopBefore at a write: so many bytes arrive before (a short write)
  std::string name = {};     // by which it is told from others; several may have one
};

// Thread-safe. Outlives the file systems that it is given to.
class FaultPlan {
 public:
  FaultPlan() = default;

  // Several faults can be armed; the one that was armed first wins. The pattern must be valid.
  void Arm(Fault fault) ABSL_LOCKS_EXCLUDED(mu_);
  void DisarmAll() ABSL_LOCKS_EXCLUDED(mu_);
  // Those of that name.
  void Disarm(absl::string_view name) ABSL_LOCKS_EXCLUDED(mu_);

  // From now on every operation fails with kAborted and has no effect: the process is dead, its threads just do not
  // know it yet. Returns when none is under way any more. Not to be called from within an operation.
  void Stop() ABSL_LOCKS_EXCLUDED(mu_);
  bool stopped() const { return stopped_; }
  // The name of the fault that stopped the process; nothing while it runs, and where none did.
  std::string stopped_by() const ABSL_LOCKS_EXCLUDED(mu_);
  // A new process begins where the stopped one is gone: operations take effect, and are counted on.
  void Resume() ABSL_LOCKS_EXCLUDED(mu_);

  // What was asked for so far, in order, whether it succeeded or not; not what was asked for after the stop.
  std::vector<FileOperation> trace() const ABSL_LOCKS_EXCLUDED(mu_);
  size_t operations() const ABSL_LOCKS_EXCLUDED(mu_);
  size_t operations(FileOp op) const ABSL_LOCKS_EXCLUDED(mu_);

  // From now on `moment` says at the beginning of each operation how things stand; it must not use the plan.
  void NoteMoments(std::function<CrashMoment()> moment) ABSL_LOCKS_EXCLUDED(mu_);
  // One for each operation that was asked for since.
  std::vector<CrashMoment> moments() const ABSL_LOCKS_EXCLUDED(mu_);

  // For FaultyFileSystem: what to do about one operation. Begin is followed by End exactly once.
  struct Verdict {
    bool perform = true;       // carry it out
    size_t bytes_written = 0;  // when not, but it is a write: carry out so much of it
    absl::Status result = {};  // what to return if it is an error; else what the operation returned
  };
  Verdict Begin(const FileOperation& operation) ABSL_LOCKS_EXCLUDED(mu_);
  void End() ABSL_LOCKS_EXCLUDED(mu_);

 private:
  struct Armed {
    Fault fault;
    std::shared_ptr<const RE2> pattern;  // null: every path
    uint64_t matches = 0;
  };
  bool StopAndSeeIfIdle() ABSL_LOCKS_EXCLUDED(mu_);
  const Fault* Strike(const FileOperation& operation) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  mutable Mutex mu_;
  std::vector<Armed> armed_ ABSL_GUARDED_BY(mu_);
  std::vector<FileOperation> trace_ ABSL_GUARDED_BY(mu_);
  std::array<size_t, static_cast<size_t>(FileOp::kChmod) + 1> counts_ ABSL_GUARDED_BY(mu_) = {};  // of each in trace_
  std::function<CrashMoment()> moment_ ABSL_GUARDED_BY(mu_);                                      // may be null
  std::vector<CrashMoment> moments_ ABSL_GUARDED_BY(mu_);
  std::atomic<bool> stopped_ = false;  // changed under mu_
  std::string stopped_by_ ABSL_GUARDED_BY(mu_);
  int under_way_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_FAULT_PLAN_H_
