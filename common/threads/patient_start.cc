#include "common/threads/patient_start.h"

#include <string>
#include <system_error>

#include "absl/time/clock.h"
#include "absl/time/time.h"

namespace kubelet_cm::threads_internal {
namespace {

constexpr absl::Duration kPause = absl::Milliseconds(50);

// False if there is none at the moment.
bool Start(absl::FunctionRef<void()> start) {
  try {
    start();
    return true;
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) throw;
    return false;
  }
}

}  // namespace

void PauseForThreads() { absl::SleepFor(kPause); }

void StartPatiently(absl::FunctionRef<void()> start, const Patience& patience) {
  if (Start(start)) return;
  const std::string name(patience.thread_name);
  if (patience.log != nullptr) {
    patience.log->Warning("The system has no thread to give; waiting until it has", {{"thread", name}});
  }
  do {
    patience.pause();
  } while (!Start(start));
  if (patience.log != nullptr) patience.log->Info("The system has given the thread", {{"thread", name}});
}

}  // namespace kubelet_cm::threads_internal
