// HealthWatcher: listens to what one instance of a driver says of its devices' health, from its registration on until
// it is stopped. A stream that ends is opened again a while later, but for a driver that does not know the service;
// kubelets until 1.36 asked that one again and again, too.
#ifndef KUBELET_CM_DRA_HEALTH_HEALTH_WATCHER_H_
#define KUBELET_CM_DRA_HEALTH_HEALTH_WATCHER_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/log/logger.h"
#include "common/personality/personality.h"
#include "common/threads/mutex.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"
#include "dra/health/health_cache.h"
#include "dra/health/health_client.h"
#include "dra/health/health_report.h"

namespace kubelet_cm::dra {

struct HealthRetry {
  absl::Duration delay = absl::Seconds(5);
  bool also_unimplemented = false;  // as kubelets until 1.36
};
HealthRetry HealthRetryOf(const Personality& kubelet);

// An instance of a driver that is listened to.
struct HealthSource {
  HealthSourceId id = 0;
  std::string driver_name = {};
  std::string endpoint = {};
};

// Called on the watcher's thread, one call at a time, with no lock held.
class HealthObserver {
 public:
  virtual ~HealthObserver() = default;

  // A message of the driver's; in the order of sending.
  virtual void OnReports(const HealthSource& source, HealthReports reports) = 0;

  // The stream is over: nobody vouches any more for what it said. Not called after Stop().
  virtual void OnStreamEnded(const HealthSource& source) = 0;
};

class HealthWatcher {
 public:
  struct Dependencies {
    Threads& threads;
    Logger& log;
    HealthObserver& observer;
  };

  // Starts to listen. `dependencies` outlive the watcher; the observer may be called at once.
  HealthWatcher(Dependencies dependencies, HealthSource source, std::unique_ptr<HealthClient> client,
                HealthRetry retry);
  // Stops, and waits until a running callback has returned. Not on the watcher's own thread.
  ~HealthWatcher();
  HealthWatcher(const HealthWatcher&) = delete;
  HealthWatcher& operator=(const HealthWatcher&) = delete;

  const HealthSource& source() const { return source_; }

  // The stream ends soon, and no other is opened. Does not wait; a second call does nothing. Thread-safe.
  void Stop();

 private:
  void Run();
  // Reads a stream to its end, and returns how that was.
  absl::Status ReadStream();
  // Makes it the stream that Stop cancels. False when it is too late.
  bool SetStream(HealthStream* stream);
  void LogEnd(const absl::Status& ended);

  const Dependencies deps_;
  const HealthSource source_;
  const std::unique_ptr<HealthClient> client_;
  const HealthRetry retry_;
  Notification stopped_;
  Mutex mu_;
  HealthStream* stream_ ABSL_GUARDED_BY(mu_) = nullptr;  // null while none is open
  std::unique_ptr<Thread> thread_;                       // uses all of the above
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_HEALTH_HEALTH_WATCHER_H_
