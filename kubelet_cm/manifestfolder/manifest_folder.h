// ManifestFolder: follows a folder of manifests, and tells a listener what is in it and what becomes of it.
//
// It hears of changes from the system (common/folderwatch), waits until writing has paused, and reads what changed; in
// addition it looks at everything from time to time, as the kubelet does, which also finds a folder that is made later.
//
// The listener is called on the folder's thread, with no lock held. Thread-safe otherwise.
#ifndef KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FOLDER_H_
#define KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FOLDER_H_

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/folderwatch/folder_watch.h"
#include "common/log/logger.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "kubelet_cm/manifestfolder/manifest_file.h"
#include "kubelet_cm/manifestfolder/manifest_reader.h"

namespace kubelet_cm {

class ManifestFolderListener {
 public:
  virtual ~ManifestFolderListener() = default;

  // The first call has everything, and is made even when there is nothing.
  virtual void OnFiles(ManifestChanges changes) = 0;
  // After each look at the folder, whatever it brought: a time to try again what failed. An error when the folder could
  // not be listed.
  virtual void OnLooked(const absl::Status& outcome) = 0;
};

class ManifestFolder {
 public:
  struct Dependencies {
    Threads& threads;
    FileSystem& files;
    FolderWatches& watches;
    Logger& log;
  };
  struct Options {
    std::string folder;
    // A change is read when there was none for so long: who writes a file in several steps is seldom seen in between.
    absl::Duration settle = absl::Milliseconds(50);
    // How often everything is looked at; the kubelet's fileCheckFrequency.
    absl::Duration rescan = absl::Seconds(20);
  };

  // Starts the thread. What is given outlives the object. kResourceExhausted when the system gives no more watches.
  static absl::StatusOr<std::unique_ptr<ManifestFolder>> New(Dependencies dependencies, Options options,
                                                             ManifestFolderListener& listener);
  // The listener is not called any more.
  ~ManifestFolder();
  ManifestFolder(const ManifestFolder&) = delete;
  ManifestFolder& operator=(const ManifestFolder&) = delete;

 private:
  // What events say is to be done.
  struct Work {
    bool folder_vanished = false;
    std::set<std::string> touched = {};
  };

  ManifestFolder(Dependencies dependencies, Options options, std::unique_ptr<FolderWatch> watch,
                 ManifestFolderListener& listener);
  void Run();
  // Watches the folder, if it is there and is not watched yet.
  void EnsureWatched();
  // Waits for events, or for the next time to look at everything.
  Work AwaitWork();
  void AddEvents(const std::vector<FolderEvent>& events, Work* work) const;
  void Look(const std::set<std::string>& touched);
  // Says what goes wrong with the folder, once until it changes.
  void Report(const absl::Status& status);
  bool stopping();

  const Dependencies deps_;
  const Options options_;
  ManifestFolderListener& listener_;
  const std::unique_ptr<FolderWatch> watch_;
  // Of the thread.
  ManifestReader reader_;
  bool watched_ = false;
  bool told_ = false;
  absl::Status last_error_;
  size_t last_left_out_ = 0;

  Mutex mu_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Thread> thread_;  // last: it uses all of the above
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_MANIFESTFOLDER_MANIFEST_FOLDER_H_
