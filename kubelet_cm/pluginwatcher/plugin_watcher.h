// PluginWatcher: plugins whose sockets lie in a folder are registered with the handler of their type, and unregistered
// when the socket goes.
//
// A plugin that appears is registered at once; one that fails is tried again with growing delays. Nothing happens while
// nothing changes, but for a look at the folder once a minute. Each operation has a thread of its own while it lasts;
// how many run at once is PluginTable's business.
//
// The order of locks: mu_ guards the table and what runs, and nothing is waited for under it.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_WATCHER_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_WATCHER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/folderwatch/folder_watch.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "kubelet_cm/pluginwatcher/plugin_handler.h"
#include "kubelet_cm/pluginwatcher/plugin_metrics.h"
#include "kubelet_cm/pluginwatcher/plugin_registration.h"
#include "kubelet_cm/pluginwatcher/plugin_table.h"
#include "kubelet_cm/pluginwatcher/registration_client.h"
#include "kubelet_cm/pluginwatcher/socket_folder.h"

namespace kubelet_cm::pluginwatcher {

// Told what became of plugins, on the thread of the operation, with no lock held. It does not wait.
class PluginWatcherListener {
 public:
  virtual ~PluginWatcherListener() = default;
  virtual void OnPluginRegistered(const std::string& path, const PluginInfo& plugin) = 0;
  virtual void OnPluginFailed(const std::string& path, const PluginInfo& plugin, const std::string& reason) = 0;
  virtual void OnPluginUnregistered(const std::string& path, const PluginInfo& plugin) = 0;
};

// List and Stop by any thread.
class PluginWatcher : private SocketFolderListener, private PluginHolds {
 public:
  // All of it outlives the watcher, the handlers, too.
  struct Dependencies {
    FileSystem& files;
    FolderWatches& watches;
    Threads& threads;
    Logger& log;
    MetricsRegistry& metrics;
    PluginHandlers handlers = {};
    MakeRegistrationClient make_client = {};
    PluginWatcherListener* listener = nullptr;
  };
  struct Options {
    std::string folder = {};  // <root>/plugins_registry
    absl::Duration look_interval = absl::Seconds(60);
    bool follow_links = false;              // as upstream: a link to a socket is that socket
    std::string confine_endpoints_to = {};  // a folder; empty: endpoints may be anywhere, as upstream
    PluginTable::Limits limits = {};
  };

  // Watching when it returns; the plugins that are there are being registered. The error reads as upstream's.
  static absl::StatusOr<std::unique_ptr<PluginWatcher>> New(Dependencies dependencies, const Options& options);
  // As Stop, and waits for what handlers are at. Plugins stay registered.
  ~PluginWatcher() override;
  PluginWatcher(const PluginWatcher&) = delete;
  PluginWatcher& operator=(const PluginWatcher&) = delete;

  // Begins nothing more; talks with plugins end soon. Does not wait.
  void Stop();

  // All plugin sockets, sorted by path.
  std::vector<PluginRow> List() const;

 private:
  // An operation under way, or just over.
  struct Running {
    std::shared_ptr<RegistrationClient> client = {};  // of a registration
    std::unique_ptr<Thread> thread = {};
  };

  PluginWatcher(Dependencies dependencies, const Options& options);

  // SocketFolderListener, on the folder's thread.
  void OnFound(const FoundSockets& sockets) override;
  void OnFoundAll(const FoundSockets& sockets) override;
  void OnVanished(const std::string& path) override;
  void Report(const PluginTable::Changes& changes);

  // PluginHolds, on threads of registrations.
  absl::Status Take(const std::string& path, const PluginInfo& plugin) override;
  bool BeginRelease(const std::string& path, bool registered) override;
  void Release(const std::string& path) override;

  // The thread that begins operations and sees to those that are over.
  void Dispatch();
  void Begin(const PluginOperation& operation);
  void RunRegister(const std::string& path, RegistrationClient& client);
  void RunUnregister(const PluginOperation& operation);
  void ReportFailure(const std::string& path, const RegistrationOutcome& outcome, const PluginTable::Retry& retry);
  // Together with what the table is told: nothing else begins on the path before its thread has been taken away.
  void End(const std::string& path) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const Dependencies deps_;
  const Options options_;
  const RegistrationDependencies registering_;
  Event work_;
  PluginMetrics shown_;         // the dispatching thread's, as is
  uint64_t shown_version_ = 0;  // which paths of the table it shows
  bool refusing_ = false;       // the folder's thread's: some sockets were too many, which was said

  mutable Mutex mu_;
  const std::unique_ptr<Condition> released_;  // a plugin, or stopping
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  PluginTable table_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, Running> running_ ABSL_GUARDED_BY(mu_);  // by path
  std::vector<std::string> over_ ABSL_GUARDED_BY(mu_);           // those of them that are

  std::unique_ptr<SocketFolder> folder_;  // null before New is through
  std::unique_ptr<Thread> watching_;
  std::unique_ptr<Thread> dispatching_;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_WATCHER_H_
