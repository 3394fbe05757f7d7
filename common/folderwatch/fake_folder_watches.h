// FakeFolderWatches: folder watches to which a test says what happens. No file is looked at.
//
//   FakeFolderWatches watches(threads);
//   ...                              // the code under test makes a watch, adds folders and waits for events
//   ASSERT_OK(watches.AwaitIdle());
//   watches.Push({FolderEvent::Kind::kAppeared, "/plugins/a.sock"});
//
// Waits go through the Threads seam, so that they pass by a fake clock and under a seeded scheduler.
#ifndef KUBELET_CM_COMMON_FOLDERWATCH_FAKE_FOLDER_WATCHES_H_
#define KUBELET_CM_COMMON_FOLDERWATCH_FAKE_FOLDER_WATCHES_H_

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/folderwatch/folder_watch.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"

namespace kubelet_cm {

// Thread-safe.
class FakeFolderWatches : public FolderWatches {
 public:
  // `threads` outlives this.
  explicit FakeFolderWatches(Threads& threads);
  ~FakeFolderWatches() override;

  absl::StatusOr<std::unique_ptr<FolderWatch>> New() override;

  // An entry of a watched folder: its watches hear of it, others do not. kLost reaches all.
  void Push(const FolderEvent& event);
  // From now on Add answers `error`, or does what it should where that is OK.
  void FailAdds(const absl::Status& error);
  // The folders that are watched, sorted.
  std::vector<std::string> Watched() const;
  // Waits until a thread waits for events and none is left to be fetched: all that was pushed has been dealt with.
  // kDeadlineExceeded after `limit` by the clock of the threads.
  absl::Status AwaitIdle(absl::Duration limit = absl::Seconds(30)) const;

 private:
  class Watch;

  const Clock& clock_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::set<Watch*> watches_ ABSL_GUARDED_BY(mu_);
  absl::Status add_error_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FOLDERWATCH_FAKE_FOLDER_WATCHES_H_
