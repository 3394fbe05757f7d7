// RegistrationHealth: whether device plugins can register, as the kubelet's health endpoint shows it.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HEALTH_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HEALTH_H_

#include <optional>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"

namespace kubelet_cm::deviceplugin {

// Outlives the servers that report to it, so that it can tell of one that never came to be. Thread-safe.
class RegistrationHealth {
 public:
  // The health checker's name.
  static constexpr std::string_view kName = "device-plugin";

  // Serving, or stopped on purpose.
  void SetFine();
  // `error` is why no plugin can register; OK when that is not known.
  void SetFailed(const absl::Status& error);

  // OK, also before anything was started; otherwise kUnavailable with upstream's text.
  absl::Status Check() const;

 private:
  mutable Mutex mu_;
  std::optional<absl::Status> failure_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_REGISTRATION_HEALTH_H_
