#include "kubelet_cm/pluginwatcher/fake_registration_clients.h"

#include <utility>

namespace kubelet_cm::pluginwatcher {

class FakeRegistrationClients::Client : public RegistrationClient {
 public:
  Client(FakeRegistrationClients& plugins, std::string path) : plugins_(plugins), path_(std::move(path)) {}

  absl::Status Connect(absl::Duration timeout) override {
    const MonotonicTime deadline = plugins_.threads_.clock().MonotonicNow() + timeout;
    MutexLock lock(&plugins_.mu_);
    ++plugins_.connects_[path_];
    const auto plugin = plugins_.plugins_.find(path_);
    if (plugin != plugins_.plugins_.end() && !plugin->second.hangs) return absl::OkStatus();
    ++plugins_.connecting_;
    while (!cancelled_ && plugins_.changed_->WaitUntil(&plugins_.mu_, deadline)) {
    }
    --plugins_.connecting_;
    if (cancelled_) return absl::CancelledError("context canceled");
    return absl::DeadlineExceededError("context deadline exceeded");
  }

  absl::StatusOr<PluginInfo> GetInfo(absl::Duration) override {
    const Plugin plugin = plugins_.PluginAt(path_);
    if (!plugin.info_error.ok()) return plugin.info_error;
    return plugin.info;
  }

  absl::Status NotifyRegistrationStatus(bool registered, const std::string& error, absl::Duration) override {
    MutexLock lock(&plugins_.mu_);
    plugins_.told_[path_].push_back(registered ? "registered" : error);
    return plugins_.plugins_[path_].notify_error;
  }

  void Cancel() override {
    MutexLock lock(&plugins_.mu_);
    cancelled_ = true;
    plugins_.changed_->NotifyAll();
  }

 private:
  FakeRegistrationClients& plugins_;
  const std::string path_;
  bool cancelled_ = false;  // under the lock of the plugins
};

FakeRegistrationClients::FakeRegistrationClients(Threads& threads)
    : threads_(threads), changed_(threads.NewCondition("a fake plugin to be cancelled")) {}

void FakeRegistrationClients::Serve(const std::string& path, Plugin plugin) {
  MutexLock lock(&mu_);
  plugins_[path] = std::move(plugin);
}

MakeRegistrationClient FakeRegistrationClients::Maker() {
  return [this](const std::string& path) { return std::make_unique<Client>(*this, path); };
}

FakeRegistrationClients::Plugin FakeRegistrationClients::PluginAt(const std::string& path) const {
  MutexLock lock(&mu_);
  const auto plugin = plugins_.find(path);
  return plugin == plugins_.end() ? Plugin{.info_error = absl::UnavailableError("gone")} : plugin->second;
}

std::vector<std::string> FakeRegistrationClients::Told(const std::string& path) const {
  MutexLock lock(&mu_);
  const auto told = told_.find(path);
  return told == told_.end() ? std::vector<std::string>() : told->second;
}

int FakeRegistrationClients::Connects(const std::string& path) const {
  MutexLock lock(&mu_);
  const auto connects = connects_.find(path);
  return connects == connects_.end() ? 0 : connects->second;
}

int FakeRegistrationClients::connecting() const {
  MutexLock lock(&mu_);
  return connecting_;
}

}  // namespace kubelet_cm::pluginwatcher
