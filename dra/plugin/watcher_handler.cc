#include "dra/plugin/watcher_handler.h"

namespace kubelet_cm::dra {
namespace {

DriverInfo InfoOf(const std::string& name, const std::string& endpoint, absl::Span<const std::string> versions) {
  return {.driver_name = name, .endpoint = endpoint, .supported_versions = {versions.begin(), versions.end()}};
}

}  // namespace

absl::Status WatcherHandler::ValidatePlugin(const std::string& name, const std::string& endpoint,
                                            absl::Span<const std::string> versions) const {
  return registry_.Validate(InfoOf(name, endpoint, versions));
}

absl::Status WatcherHandler::RegisterPlugin(const std::string& name, const std::string& endpoint,
                                            absl::Span<const std::string> versions) {
  return registry_.Register(InfoOf(name, endpoint, versions));
}

void WatcherHandler::DeregisterPlugin(const std::string& name, const std::string& endpoint) {
  registry_.Deregister(name, endpoint);
}

}  // namespace kubelet_cm::dra
