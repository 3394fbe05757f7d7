// Daemon: the device stack of a node as one object: state restored, sockets open, plugins and pods welcome.
//
// In this order: the root folder is locked; nobody alive may have its sockets; the port of the pages is taken; pods and
// the managers' state are restored, side by side; then the sockets open, those at which plugins register among the
// last, and the control API at the very end. Whoever finds a socket finds something that is ready.
//
// Made, shut down and destroyed by one thread.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/folderwatch/folder_watch.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/podupdates/pod_updates.h"
#include "common/random/random.h"
#include "common/threads/threads.h"
#include "deviceplugin/device_stack.h"
#include "dra/dra_stack.h"
#include "kubelet_cm/admission/container_manager.h"
#include "kubelet_cm/admission/pod_admission.h"
#include "kubelet_cm/config/daemon_options.h"
#include "kubelet_cm/control/control_server.h"
#include "kubelet_cm/control/node_viewer.h"
#include "kubelet_cm/daemon/claim_access.h"
#include "kubelet_cm/daemon/daemon_paths.h"
#include "kubelet_cm/daemon/machine_facts.h"
#include "kubelet_cm/daemon/plugin_events.h"
#include "kubelet_cm/daemon/pod_history.h"
#include "kubelet_cm/daemon/pod_resources_feed.h"
#include "kubelet_cm/daemon/state_write_events.h"
#include "kubelet_cm/daemon/static_pod_admitter.h"
#include "kubelet_cm/daemon/termination_loop.h"
#include "kubelet_cm/events/event_log.h"
#include "kubelet_cm/http/http_server.h"
#include "kubelet_cm/life/state_lock.h"
#include "kubelet_cm/pluginwatcher/plugin_watcher.h"
#include "kubelet_cm/pluginwatcher/stack_handlers.h"
#include "kubelet_cm/podresources/pod_resources_server.h"
#include "kubelet_cm/pods/pod_store.h"
#include "kubelet_cm/pods/pod_table.h"
#include "kubelet_cm/staticpods/pod_folder.h"

namespace kubelet_cm {

class Daemon {
 public:
  // All of it outlives the daemon.
  struct Dependencies {
    FileSystem& files;  // the real one: sockets are made in it
    FolderWatches& watches;
    Threads& threads;
    Random& random;
    Logger& log;
    int process_id = 0;  // for who finds the folder locked
  };

  // Ready when it returns. Errors: kUnavailable when another process has the root folder or its sockets, and only then;
  // kDataLoss when a state file is corrupt and RecoverPolicy::kStrict refuses it.
  static absl::StatusOr<std::unique_ptr<Daemon>> New(const Dependencies& dependencies,
                                                     const config::DaemonOptions& options);
  // As a kill: nothing more is written, and sockets stay where they are.
  ~Daemon();
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // No new admissions; sockets are removed, writes finished, calls in flight cut after a second. Waits beyond that for
  // a plugin that is just being connected: whoever is in a hurry ends the process, for nothing is left to be written.
  absl::Status Shutdown();

  const DaemonPaths& paths() const { return paths_; }
  MetricsRegistry& metrics() { return metrics_; }
  ContainerManager& manager() { return *manager_; }
  deviceplugin::DeviceManager& devices() { return devices_->manager(); }
  const PodTable& pods() const { return *pods_; }
  const NodeViewer& viewer() const { return *viewer_; }
  EventLog& events() { return events_; }
  // Where the pages are; 0 when there are none.
  int http_port() const { return http_ == nullptr ? 0 : http_->port(); }
  // What was found at the start: "devices: restored".
  const std::vector<std::string>& restored() const { return restored_; }
  // Whether everything that the daemon serves can be reached.
  absl::Status Health() const;

 private:
  Daemon(const Dependencies& dependencies, const config::DaemonOptions& options);

  // The steps of a start, in their order.
  absl::Status TakeFolder();
  absl::Status Start();
  absl::Status BindPages();  // served at the very end
  absl::Status RestoreState();
  absl::Status StartAdmission();
  absl::Status OpenSockets();
  absl::Status WatchPlugins();
  absl::Status FollowPodFolder();

  // Within RestoreState, side by side.
  absl::Status RestorePodsOfEarlierRuns();
  absl::Status StartClaims();
  absl::Status StartDevices(deviceplugin::DeviceManager::FindNodeStart find_node_start);
  void LetPluginsGo();
  void Restored(const std::string& what, RecoveryOutcome outcome);
  absl::Status CheckSocket(const std::string& path) const;
  absl::Status CheckSourcesReady() const;
  absl::Status CheckAdmitting() const;
  std::string StatusPage() const;
  ::kubeletcm::v1::VersionResponse DescribeVersion() const;

  const Dependencies deps_;
  const config::DaemonOptions options_;
  const DaemonPaths paths_;
  const absl::Time started_;
  MetricsRegistry metrics_;
  PodUpdates pod_updates_;
  EventLog events_;
  MachineFacts machine_;
  NodeStart node_start_;
  std::vector<std::string> restored_;
  // Each uses those above it; null before its step.
  std::unique_ptr<life::StateLock> lock_;
  std::unique_ptr<PodTable> pods_;
  std::unique_ptr<PodStore> store_;
  std::optional<PodHistory> history_;
  std::unique_ptr<deviceplugin::DeviceStack> devices_;
  std::unique_ptr<ClaimAccess> claim_access_;
  std::unique_ptr<dra::DraStack> claims_;  // null: a kubelet without DRA
  std::optional<PodAdmission> admission_;
  std::optional<ContainerManager> manager_;
  std::unique_ptr<PodResourcesFeed> pod_resources_feed_;
  std::unique_ptr<podresources::PodResourcesServer> pod_resources_;  // null: a kubelet without it
  std::optional<PluginEvents> plugin_events_;
  std::optional<pluginwatcher::DevicePluginHandler> device_handler_;
  std::optional<pluginwatcher::DraPluginHandler> dra_handler_;
  std::unique_ptr<pluginwatcher::PluginWatcher> watcher_;
  std::optional<NodeViewer> viewer_;
  std::unique_ptr<TerminationLoop> terminations_;
  std::unique_ptr<StateWriteEvents> writes_;
  std::optional<StaticPodAdmitter> static_pods_;
  std::unique_ptr<PodFolder> pod_folder_;  // null: no such folder is asked for
  std::unique_ptr<ControlServer> control_;
  std::unique_ptr<http::HttpServer> http_;  // null: no pages are asked for
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_DAEMON_H_
