#include "kubelet_cm/life/stop_signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <utility>

#include "common/status/check.h"
#include "common/status/errno_status.h"

namespace kubelet_cm::life {
namespace {

sigset_t Signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

void HoldStopSignals() {
  sigset_t held = Signals();
  sigaddset(&held, SIGPIPE);
  CHECK(pthread_sigmask(SIG_BLOCK, &held, nullptr) == 0) << "signals cannot be held";
}

absl::StatusOr<std::unique_ptr<StopSignals>> StopSignals::New(Threads& threads, std::function<void(int signal)> stop) {
  const sigset_t wanted = Signals();
  const int signals = signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) return ErrnoStatus(errno, "signalfd");
  const int ending = eventfd(0, EFD_CLOEXEC);
  if (ending < 0) {
    const int error = errno;
    close(signals);
    return ErrnoStatus(error, "eventfd");
  }
  std::unique_ptr<StopSignals> object(new StopSignals(signals, ending, std::move(stop)));
  object->thread_ = threads.Start("signals", [listening = object.get()] { listening->Listen(); });
  return object;
}

StopSignals::StopSignals(int signals, int ending, std::function<void(int)> stop)
    : signals_(signals), ending_(ending), stop_(std::move(stop)) {}

StopSignals::~StopSignals() {
  const uint64_t one = 1;
  CHECK(write(ending_, &one, sizeof(one)) == sizeof(one)) << "the signals' thread cannot be woken";
  thread_.reset();
  close(ending_);
  close(signals_);
}

void StopSignals::Listen() const {
  while (true) {
    std::array<pollfd, 2> waiting = {
        {{.fd = ending_, .events = POLLIN, .revents = 0}, {.fd = signals_, .events = POLLIN, .revents = 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;  // interrupted
    if (waiting[0].revents != 0) return;
    signalfd_siginfo signal = {};
    if (read(signals_, &signal, sizeof(signal)) == sizeof(signal)) stop_(static_cast<int>(signal.ssi_signo));
  }
}

}  // namespace kubelet_cm::life
