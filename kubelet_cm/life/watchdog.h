// Watchdog: tells systemd again and again that the daemon is alive, as long as a check says so. A daemon that hangs is
// then killed and started again.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_WATCHDOG_H_
#define KUBELET_CM_KUBELET_CM_LIFE_WATCHDOG_H_

#include <functional>
#include <memory>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/log/logger.h"
#include "common/threads/notification.h"
#include "common/threads/threads.h"

namespace kubelet_cm::life {

class Watchdog {
 public:
  struct Settings {
    absl::Duration interval;              // see WatchdogInterval
    std::function<absl::Status()> check;  // on the watchdog's thread; what it waits for, systemd waits for
    std::function<absl::Status()> alive;  // tells systemd
  };

  // The first check is made at once. `threads` and `log` outlive the watchdog.
  Watchdog(Threads& threads, Logger& log, Settings settings);
  // Waits for a check that is being made.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  void Run();

  const Clock& clock_;
  Logger& log_;
  const Settings settings_;
  Notification stopping_;
  std::unique_ptr<Thread> thread_;
};

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_WATCHDOG_H_
