// RegisterPlugin and UnregisterPlugin: the two operations on a plugin's socket, in upstream's order and words.
//
// Registering: connect (10 s), ask the plugin what it is (1 s), let its handler validate and register it, and tell the
// plugin how that went (5 s). A plugin that could not be told that it is registered is deregistered again. They block;
// called on a thread of their own, by one at a time per socket.
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_REGISTRATION_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_REGISTRATION_H_

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/file_system.h"
#include "kubelet_cm/pluginwatcher/plugin_handler.h"
#include "kubelet_cm/pluginwatcher/plugin_info.h"
#include "kubelet_cm/pluginwatcher/registration_client.h"

namespace kubelet_cm::pluginwatcher {

// Which plugins handlers know, and for which sockets; PluginTable keeps it.
class PluginHolds {
 public:
  virtual ~PluginHolds() = default;

  // Waits while the same plugin is unregistered for another socket. An error when that takes too long.
  virtual absl::Status Take(const std::string& path, const PluginInfo& plugin) = 0;
  // What is held for `path` is about to go. True when its handler is to be told.
  virtual bool BeginRelease(const std::string& path, bool registered) = 0;
  virtual void Release(const std::string& path) = 0;
};

struct RegistrationDependencies {
  FileSystem& files;
  const PluginHandlers& handlers;
  PluginHolds& holds;
  std::string confine_endpoints_to = {};  // a folder; empty: they may be anywhere
};

struct RegistrationOutcome {
  absl::Status status = {};  // with upstream's text; OK: it is registered, and held
  std::string reason = {};   // of an error: what the plugin was told, or would have been
  PluginInfo plugin = {};    // what it said, if it did
};

RegistrationOutcome RegisterPlugin(const RegistrationDependencies& dependencies, const std::string& path,
                                   RegistrationClient& client);

// The plugin is not told. `plugin` is what is held for `path`; whoever calls lets it go afterwards.
void UnregisterPlugin(const RegistrationDependencies& dependencies, const std::string& path, const PluginInfo& plugin);

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_PLUGIN_REGISTRATION_H_
