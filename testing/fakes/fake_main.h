// What the fakes have in common as programs: where the daemon's folders are when nobody says so, and a life until
// SIGTERM or SIGINT.
#ifndef KUBELET_CM_TESTING_FAKES_FAKE_MAIN_H_
#define KUBELET_CM_TESTING_FAKES_FAKE_MAIN_H_

#include <csignal>
#include <string>

#include "absl/status/status.h"

namespace kubelet_cm::fakes {

// Before there are threads, so that none takes the signals.
sigset_t HoldSignals();
// Returns when one of them has come.
void WaitForSignal(const sigset_t& signals);
// The process ends here and now, as by a crash.
[[noreturn]] void Die();

// Says on standard error what is wrong with `subject`; the exit code.
int Complain(const std::string& subject, const absl::Status& wrong);

// `name` below the daemon's default root folder, or below a kubelet's for a user without a home.
std::string DefaultFolder(const std::string& name);

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_FAKE_MAIN_H_
