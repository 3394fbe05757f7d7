// LateClose: closes files on a thread of its own, for whoever need not wait for it.
//
// A file whose name is gone, because another one was renamed over it, goes with its last handle, and so do its blocks.
// That takes a fifth of what it takes to write it. Who keeps a handle while he renames, and closes it here, is spared
// that time:
//
//   std::unique_ptr<File> replaced = ...;  // Open(path)
//   RETURN_IF_ERROR(AtomicWrite(..., path, ...));
//   late_close.Close(std::move(replaced));
//
// Thread-safe. Errors of closing are nobody's: nothing was written through these handles.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_LATE_CLOSE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_LATE_CLOSE_H_

#include <memory>

#include "absl/base/thread_annotations.h"
#include "common/filesystem/file_system.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

class LateClose {
 public:
  // `threads` outlives the object. The thread is started by the first file.
  explicit LateClose(Threads& threads);
  // When all have been closed.
  ~LateClose();
  LateClose(const LateClose&) = delete;
  LateClose& operator=(const LateClose&) = delete;

  // Closes the file soon; at once when another one is still waiting, so that a disk never has to have room for more
  // than two files that are gone.
  void Close(std::unique_ptr<File> file) ABSL_LOCKS_EXCLUDED(mu_);

 private:
  void Run() ABSL_LOCKS_EXCLUDED(mu_);
  // Waits for the next one; null at the end.
  std::unique_ptr<File> Next() ABSL_LOCKS_EXCLUDED(mu_);

  Threads& threads_;
  Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::unique_ptr<File> waiting_ ABSL_GUARDED_BY(mu_);  // null: none
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  bool has_thread_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> thread_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_LATE_CLOSE_H_
