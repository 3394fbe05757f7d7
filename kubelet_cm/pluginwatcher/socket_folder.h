// SocketFolder: tells of the sockets in the plugin folder, as they come and go.
//
// It hears of changes from the folder watch, looks at what it hears of, and looks at everything once in a while, when
// events were lost, and when the folder itself was removed and made again: an event is a hint, and none is relied on.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_FOLDER_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_FOLDER_H_

#include <memory>
#include <string>

#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/filesystem/file_system.h"
#include "common/folderwatch/folder_watch.h"
#include "common/log/logger.h"
#include "kubelet_cm/pluginwatcher/plugin_table.h"
#include "kubelet_cm/pluginwatcher/socket_tree.h"

namespace kubelet_cm::pluginwatcher {

// Called by the thread that is in New or Run.
class SocketFolderListener {
 public:
  virtual ~SocketFolderListener() = default;
  // These are there; others may be.
  virtual void OnFound(const FoundSockets& sockets) = 0;
  // These and no others are there.
  virtual void OnFoundAll(const FoundSockets& sockets) = 0;
  // The entry is gone, be it a socket or a folder with all that was below it.
  virtual void OnVanished(const std::string& path) = 0;
};

class SocketFolder {
 public:
  // All of it outlives the object.
  struct Dependencies {
    FileSystem& files;
    FolderWatches& watches;
    const Clock& clock;
    Logger& log;
    SocketFolderListener& listener;
  };
  struct Options {
    std::string folder = {};  // made, 0750, when it is not there
    absl::Duration look_interval = absl::Seconds(60);
    SocketTreeOptions tree = {};
  };

  // Has told of everything that is there when it returns. An error when the folder cannot be made or watched.
  static absl::StatusOr<std::unique_ptr<SocketFolder>> New(const Dependencies& dependencies, const Options& options);
  SocketFolder(const SocketFolder&) = delete;
  SocketFolder& operator=(const SocketFolder&) = delete;

  // Tells of what happens until Stop.
  void Run();
  // Any thread.
  void Stop() { watch_->Stop(); }

 private:
  SocketFolder(const Dependencies& dependencies, const Options& options, std::unique_ptr<FolderWatch> watch);

  // The folder is there and watched.
  absl::Status Prepare();
  void LookAtAll();
  void Hear(const FolderEvent& event);
  void HearAppeared(const std::string& path);
  void HearVanished(const std::string& path);
  // Everything in a folder, which is watched from now on.
  SocketTree Look(const std::string& folder);
  void Watch(const std::string& folder);
  void Report(const SocketTree& tree);

  const Dependencies deps_;
  const Options options_;
  const std::unique_ptr<FolderWatch> watch_;
  absl::btree_set<std::string> watched_;
  absl::btree_set<std::string> refused_links_;  // that were logged
  MonotonicTime next_look_;
  MonotonicTime last_look_;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_SOCKET_FOLDER_H_
