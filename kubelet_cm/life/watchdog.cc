#include "kubelet_cm/life/watchdog.h"

#include <algorithm>
#include <utility>

namespace kubelet_cm::life {

Watchdog::Watchdog(Threads& threads, Logger& log, Settings settings)
    : clock_(threads.clock()), log_(log), settings_(std::move(settings)), stopping_(threads, "end of the watchdog") {
  thread_ = threads.Start("watchdog", [this] { Run(); });
}

Watchdog::~Watchdog() {
  stopping_.Notify();
  thread_.reset();
}

void Watchdog::Run() {
  MonotonicTime next = clock_.MonotonicNow();
  do {
    if (const absl::Status well = settings_.check(); !well.ok()) {
      log_.Error(well, "Not telling systemd that this process is alive");
    } else if (const absl::Status told = settings_.alive(); !told.ok()) {
      log_.Warning("Cannot tell systemd that this process is alive", {{"err", told}});
    }
    next = std::max(next + settings_.interval, clock_.MonotonicNow());
  } while (!stopping_.WaitUntil(next));
}

}  // namespace kubelet_cm::life
