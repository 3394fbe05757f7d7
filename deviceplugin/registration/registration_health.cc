#include "deviceplugin/registration/registration_health.h"

#include "absl/strings/str_cat.h"

namespace kubelet_cm::deviceplugin {

void RegistrationHealth::SetFine() {
  MutexLock lock(&mu_);
  failure_.reset();
}

void RegistrationHealth::SetFailed(const absl::Status& error) {
  MutexLock lock(&mu_);
  failure_ = error;
}

absl::Status RegistrationHealth::Check() const {
  MutexLock lock(&mu_);
  if (!failure_.has_value()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(
      "device registration error: device plugin registration gRPC server failed and no device plugins can register",
      failure_->ok() ? "" : ": ", failure_->message()));
}

}  // namespace kubelet_cm::deviceplugin
