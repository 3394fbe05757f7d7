// Any bytes as a plugin's answer to GetInfo: nothing but what is sound reaches a manager, and only below the folder to
// which endpoints are confined.
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/match.h"
#include "common/filesystem/fake_file_system.h"
#include "common/log/capturing_logger.h"
#include "common/pluginregistration/pluginregistration.pb.h"
#include "common/status/check.h"
#include "common/unixsocket/socket_path.h"
#include "deviceplugin/registration/recording_handler.h"
#include "kubelet_cm/pluginwatcher/plugin_registration.h"
#include "kubelet_cm/pluginwatcher/stack_handlers.h"

namespace kubelet_cm::pluginwatcher {
namespace {

class OneAnswer : public RegistrationClient {
 public:
  explicit OneAnswer(const ::pluginregistration::PluginInfo& answer) : answer_(answer) {}
  absl::Status Connect(absl::Duration) override { return absl::OkStatus(); }
  absl::StatusOr<PluginInfo> GetInfo(absl::Duration) override {
    return PluginInfo{.type = answer_.type(),
                      .name = answer_.name(),
                      .endpoint = answer_.endpoint(),
                      .versions = {answer_.supported_versions().begin(), answer_.supported_versions().end()}};
  }
  absl::Status NotifyRegistrationStatus(bool, const std::string& error, absl::Duration) override {
    told_ = error;
    return absl::OkStatus();
  }
  void Cancel() override {}
  const std::string& told() const { return told_; }

 private:
  const ::pluginregistration::PluginInfo& answer_;
  std::string told_;
};

class NoOtherHolds : public PluginHolds {
 public:
  absl::Status Take(const std::string&, const PluginInfo&) override { return absl::OkStatus(); }
  bool BeginRelease(const std::string&, bool registered) override { return registered; }
  void Release(const std::string&) override {}
};

void Register(const ::pluginregistration::PluginInfo& answer) {
  FakeFileSystem files;
  deviceplugin::RecordingHandler manager;
  CapturingLogger log;
  deviceplugin::WatcherHandler watcher(manager, log);
  DevicePluginHandler handler(watcher);
  const PluginHandlers handlers = {{std::string(deviceplugin::WatcherHandler::kType), &handler}};
  NoOtherHolds holds;
  OneAnswer client(answer);
  const RegistrationOutcome outcome =
      RegisterPlugin({.files = files, .handlers = handlers, .holds = holds, .confine_endpoints_to = "/kubelet"},
                     "/kubelet/reg/a.sock", client);
  CHECK(outcome.status.ok() == outcome.reason.empty());
  CHECK(client.told() == outcome.reason);
  CHECK(outcome.reason.size() < 10'000) << "a text that a plugin can make as long as it likes";
  CHECK(manager.registered().size() == (outcome.status.ok() ? 1 : 0));
  for (const deviceplugin::RegisterPlugin& plugin : manager.registered()) {
    CHECK(absl::StartsWith(plugin.socket_path, "/kubelet/") && !absl::StrContains(plugin.socket_path, "/../"));
    CHECK(CheckSocketPath(plugin.socket_path).ok() && plugin.resource_name.size() <= kMaxNameBytes);
  }
}

}  // namespace
}  // namespace kubelet_cm::pluginwatcher

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ::pluginregistration::PluginInfo answer;
  if (size < 1 << 16 && answer.ParseFromArray(data, static_cast<int>(size))) {
    kubelet_cm::pluginwatcher::Register(answer);
  }
  return 0;
}
