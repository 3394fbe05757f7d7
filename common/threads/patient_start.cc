#include "common/threads/patient_start.h"

#include <system_error>

#include "absl/time/clock.h"

namespace kubelet_cm::threads_internal {

std::thread StartPatiently(absl::FunctionRef<std::thread()> make, absl::Duration pause) {
  while (true) {
    try {
      return make();
    } catch (const std::system_error& error) {
      if (error.code() != std::errc::resource_unavailable_try_again) throw;
    }
    absl::SleepFor(pause);
  }
}

}  // namespace kubelet_cm::threads_internal
