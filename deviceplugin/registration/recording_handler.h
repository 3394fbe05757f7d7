// RecordingHandler: a RegistrationHandler for tests that keeps what it is told, and answers what it is given to answer.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RECORDING_HANDLER_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RECORDING_HANDLER_H_

#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "common/threads/mutex.h"
#include "deviceplugin/registration/registration_handler.h"

namespace kubelet_cm::deviceplugin {

inline std::ostream& operator<<(std::ostream& out, const RegisterPlugin& plugin) {
  const std::string_view version = ApiVersion(plugin.api);
  return out << version << " " << plugin.resource_name << " " << plugin.endpoint_name << " " << plugin.socket_path;
}

// Thread-safe.
class RecordingHandler : public RegistrationHandler {
 public:
  using Names = std::pair<std::string, std::string>;

  absl::Status Register(const RegisterPlugin& request) override {
    std::function<absl::Status()> answer;
    {
      MutexLock lock(&mu_);
      registered_.push_back(request);
      answer = answer_;
    }
    return answer == nullptr ? absl::OkStatus() : answer();
  }
  void Deregister(const std::string& resource_name, const std::string& socket_path) override {
    MutexLock lock(&mu_);
    deregistered_.emplace_back(resource_name, socket_path);
  }

  // Called by each Register from now on, on its thread and without a lock.
  void Answer(std::function<absl::Status()> answer) {
    MutexLock lock(&mu_);
    answer_ = std::move(answer);
  }
  std::vector<RegisterPlugin> registered() const {
    MutexLock lock(&mu_);
    return registered_;
  }
  std::vector<Names> deregistered() const {
    MutexLock lock(&mu_);
    return deregistered_;
  }

 private:
  mutable Mutex mu_;
  std::vector<RegisterPlugin> registered_ ABSL_GUARDED_BY(mu_);
  std::vector<Names> deregistered_ ABSL_GUARDED_BY(mu_);
  std::function<absl::Status()> answer_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_RECORDING_HANDLER_H_
