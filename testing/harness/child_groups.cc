#include "testing/harness/child_groups.h"

#include <array>
#include <atomic>
#include <csignal>

#include "common/status/check.h"

namespace kubelet_cm::harness {
namespace {

// What a handler of signals may look at: no lock, and nothing that grows. 0: a free place.
std::array<std::atomic<pid_t>, 1024> groups;
static_assert(std::atomic<pid_t>::is_always_lock_free);

void KillGroups(int signal) {
  for (const std::atomic<pid_t>& group : groups) {
    const pid_t number = group.load();
    if (number != 0) kill(-number, SIGKILL);
  }
  // SA_RESETHAND: this time it does what it does by itself, once this has returned.
  raise(signal);
}

bool Replace(pid_t from, pid_t to) {
  for (std::atomic<pid_t>& group : groups) {
    pid_t expected = from;
    if (group.compare_exchange_strong(expected, to)) return true;
  }
  return false;
}

bool HandleSignals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    struct sigaction now = {};
    CHECK(sigaction(signal, nullptr, &now) == 0) << "signal " << signal;
    if (now.sa_handler != SIG_DFL) continue;
    struct sigaction ours = {};
    ours.sa_handler = KillGroups;
    ours.sa_flags = SA_RESETHAND;
    CHECK(sigaction(signal, &ours, nullptr) == 0) << "signal " << signal;
  }
  return true;
}

}  // namespace

void AddChildGroup(pid_t group) {
  [[maybe_unused]] static const bool handled = HandleSignals();
  CHECK(Replace(0, group)) << "more than " << groups.size() << " child processes";
}

void RemoveChildGroup(pid_t group) { CHECK(Replace(group, 0)) << "no child process " << group; }

}  // namespace kubelet_cm::harness
