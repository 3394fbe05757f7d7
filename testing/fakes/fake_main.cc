#include "testing/fakes/fake_main.h"

#include <pthread.h>

#include <cstdlib>
#include <iostream>

#include "kubelet_cm/config/default_root.h"

namespace kubelet_cm::fakes {
namespace {

std::string Environment(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody changes it
  return value == nullptr ? "" : value;
}

}  // namespace

sigset_t HoldSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

void WaitForSignal(const sigset_t& signals) {
  int signal = 0;
  sigwait(&signals, &signal);
}

void Die() {
  std::raise(SIGKILL);
  std::abort();
}

int Complain(const std::string& subject, const absl::Status& wrong) {
  std::cerr << subject << ": " << wrong.message() << "\n";
  return 1;
}

std::string DefaultFolder(const std::string& name) {
  return config::DefaultRootDir(Environment("XDG_STATE_HOME"), Environment("HOME")).value_or("/var/lib/kubelet") + "/" +
         name;
}

}  // namespace kubelet_cm::fakes
