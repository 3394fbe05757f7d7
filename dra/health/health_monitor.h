// HealthMonitor: the health of the devices of all drivers that tell of it.
//
// It listens to every instance of a driver that it was told of, knows when what one said is too old to count, keeps
// what was said in the state file, and tells of the pods whose devices turned healthy, unhealthy or unknown.
//
// Thread-safe, with threads of its own: one an instance, and one that notices silence and writes the file. A file that
// cannot be written is logged, and tried again with the next change.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_MONITOR_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_MONITOR_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "checkpointmanager/checkpoint_manager.h"
#include "checkpointmanager/checkpoint_writer.h"
#include "common/log/logger.h"
#include "common/podupdates/pod_updates.h"
#include "common/threads/event.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "dra/claim/claim_status.h"
#include "dra/claim/claim_store.h"
#include "dra/health/health_cache.h"
#include "dra/health/health_client.h"
#include "dra/health/health_restore.h"
#include "dra/health/health_state.h"
#include "dra/health/health_watcher.h"

namespace kubelet_cm::dra {

class HealthMonitor : private HealthObserver, private CheckpointSource {
 public:
  // The uids of the pods that use one of these devices. Called from any thread, with no lock of the monitor held.
  using PodsUsing = std::function<std::vector<std::string>(absl::Span<const DeviceName> devices)>;

  struct Dependencies {
    CheckpointManager& manager;
    Threads& threads;
    Logger& log;
    PodUpdates& pod_updates;
    PodsUsing pods_using;
  };

  struct Options {
    HealthFormat format = HealthFormat::k136;
    HealthRetry retry = {};
  };

  // Starts from what was restored. What is referred to outlives the monitor.
  HealthMonitor(Dependencies dependencies, Options options, HealthRestore restored);
  // Ends all threads after what they are at. What was said stays as it is, in the file as far as it got there: for the
  // next start.
  ~HealthMonitor() override;
  HealthMonitor(const HealthMonitor&) = delete;
  HealthMonitor& operator=(const HealthMonitor&) = delete;

  // Listens to an instance of a driver until it is removed. Its id is another than those of all before it.
  void AddInstance(HealthSource source, std::unique_ptr<HealthClient> client);
  // Only what this instance said is forgotten. None is no error. The caller holds no lock: this waits for the end of
  // the instance's thread, which may be in PodsUsing.
  void RemoveInstance(HealthSourceId id);

  // From now on what was said stays as it is, whoever goes: for the next start. For whoever is about to disconnect the
  // drivers, whose streams end then.
  void KeepWhatWasSaid() { keeps_ = true; }

  // For pod status: unknown, and no message, where nobody has said anything lately.
  DeviceCondition Read(const DeviceName& device) const;

 private:
  // Of the watchers' threads.
  void OnReports(const HealthSource& source, HealthReports reports) override;
  void OnStreamEnded(const HealthSource& source) override;
  // Of the thread that writes.
  uint64_t Render(std::string& bytes) override;

  HealthInstant Now() const;
  void Forget(const HealthSource& source);
  void LogFindings(const HealthSource& source, const HealthFindings& findings);
  // What follows from a change, which the cache has made already: pods to be looked at again, and a file to be written.
  void Announce(const HealthChange& change);

  // The thread's.
  void Run();
  void ExpireSilent();
  void Save();
  MonotonicTime NextTimeout() const;

  const Dependencies deps_;
  const Options options_;
  Event work_;
  std::atomic<bool> stopping_ = false;
  std::atomic<bool> keeps_ = false;

  mutable Mutex mu_;
  HealthCache cache_ ABSL_GUARDED_BY(mu_);
  uint64_t number_ ABSL_GUARDED_BY(mu_) = 0;  // of changes of the state, since the file was read
  absl::btree_map<HealthSourceId, std::unique_ptr<HealthWatcher>> watchers_ ABSL_GUARDED_BY(mu_);

  CheckpointWriter writer_;
  uint64_t attempted_ = 0;  // the thread's: the newest state that it tried to write
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_MONITOR_H_
