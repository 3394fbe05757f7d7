// FolderWatch: hears what happens in folders, and the factory of such watches. The seam over inotify.
//
//  - InotifyWatches (inotify_watches.h): the system's.
//  - FakeFolderWatches (fake_folder_watches.h, tests only): a test says what happens.
//
// Whoever keeps a picture of a folder adds the folder first and lists it then, so that nothing falls between the two,
// and lists it again after kLost. Events are hints: by the time one is read the file may be gone or another, and one
// change may be told twice.
#ifndef KUBELET_CM_COMMON_FOLDERWATCH_FOLDER_WATCH_H_
#define KUBELET_CM_COMMON_FOLDERWATCH_FOLDER_WATCH_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/clock/monotonic_time.h"

namespace kubelet_cm {

struct FolderEvent {
  enum class Kind {
    kAppeared,  // an entry was made, or moved in
    kVanished,  // an entry was removed, or moved away; also a watched folder itself, which is not watched any more
    kWritten,   // a file was closed after it had been open for writing
    kLost,      // events were lost: look at everything again. No path
  };
  Kind kind = Kind::kLost;
  std::string path = {};  // the folder, as it was added, and the entry's name

  friend bool operator==(const FolderEvent& a, const FolderEvent& b) = default;
  friend std::ostream& operator<<(std::ostream& out, const FolderEvent& event);
};

// Add, Remove and WaitUntil by one thread at a time; Stop from any.
class FolderWatch {
 public:
  FolderWatch() = default;
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;
  virtual ~FolderWatch() = default;

  // Hears of the folder's entries from now on, not of what is in the folders among them. A folder that is watched
  // already stays so. kNotFound when there is none, kFailedPrecondition when it is no folder, kResourceExhausted when
  // the system watches no more. A final symbolic link is followed.
  virtual absl::Status Add(const std::string& folder) = 0;

  // What happens in it afterwards is not told; what has happened already may be. Nothing, when it is not watched.
  virtual void Remove(const std::string& folder) = 0;

  // What happened, in order; waits until something has. Empty at the deadline, and after Stop. The calling thread holds
  // no Mutex.
  virtual std::vector<FolderEvent> WaitUntil(MonotonicTime deadline) = 0;

  // Ends the wait that there is and every later one at once. Any thread, any number of times.
  virtual void Stop() = 0;
};

// Thread-safe; outlives what it makes.
class FolderWatches {
 public:
  FolderWatches() = default;
  FolderWatches(const FolderWatches&) = delete;
  FolderWatches& operator=(const FolderWatches&) = delete;
  virtual ~FolderWatches() = default;

  // A watch without folders. kResourceExhausted when the system gives no more of them.
  virtual absl::StatusOr<std::unique_ptr<FolderWatch>> New() = 0;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FOLDERWATCH_FOLDER_WATCH_H_
