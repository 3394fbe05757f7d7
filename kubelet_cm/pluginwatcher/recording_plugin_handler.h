// RecordingPluginHandler: a PluginHandler for tests that remembers what it was asked, and answers what it is told to.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_RECORDING_PLUGIN_HANDLER_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_RECORDING_PLUGIN_HANDLER_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/threads/mutex.h"
#include "kubelet_cm/pluginwatcher/plugin_handler.h"

namespace kubelet_cm::pluginwatcher {

// Thread-safe.
class RecordingPluginHandler : public PluginHandler {
 public:
  absl::Status Validate(const PluginInfo& plugin) override {
    MutexLock lock(&mu_);
    Record("validate", plugin);
    return validate_error_;
  }
  absl::Status Register(const PluginInfo& plugin) override {
    MutexLock lock(&mu_);
    Record("register", plugin);
    return register_error_;
  }
  void Deregister(const PluginInfo& plugin) override {
    MutexLock lock(&mu_);
    Record("deregister", plugin);
  }

  void FailValidations(const absl::Status& error) {
    MutexLock lock(&mu_);
    validate_error_ = error;
  }
  void FailRegistrations(const absl::Status& error) {
    MutexLock lock(&mu_);
    register_error_ = error;
  }

  // "register NAME ENDPOINT", in order.
  std::vector<std::string> Calls() const {
    MutexLock lock(&mu_);
    return calls_;
  }

 private:
  void Record(const char* call, const PluginInfo& plugin) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    calls_.push_back(absl::StrCat(call, " ", plugin.name, " ", plugin.endpoint));
  }

  mutable Mutex mu_;
  std::vector<std::string> calls_ ABSL_GUARDED_BY(mu_);
  absl::Status validate_error_ ABSL_GUARDED_BY(mu_);
  absl::Status register_error_ ABSL_GUARDED_BY(mu_);
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_RECORDING_PLUGIN_HANDLER_H_
