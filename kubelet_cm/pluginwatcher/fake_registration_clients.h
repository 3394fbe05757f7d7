// FakeRegistrationClients: plugins without sockets, for tests of the watcher. What is at a path answers; at any other
// nobody does.
//
//   FakeRegistrationClients plugins(threads);
//   plugins.Serve("/r/a.sock", {.info = {.type = "DRAPlugin", .name = "d"}});
//   ... MakeRegistrationClient = plugins.Maker() ...
//   EXPECT_THAT(plugins.Told("/r/a.sock"), ElementsAre("registered"));
#ifndef KUBELET_CM_KUBELET_CM_PLUGINWATCHER_FAKE_REGISTRATION_CLIENTS_H_
#define KUBELET_CM_KUBELET_CM_PLUGINWATCHER_FAKE_REGISTRATION_CLIENTS_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "common/threads/mutex.h"
#include "common/threads/threads.h"
#include "kubelet_cm/pluginwatcher/registration_client.h"

namespace kubelet_cm::pluginwatcher {

// Thread-safe; outlives the clients. Time limits pass by the clock of the threads.
class FakeRegistrationClients {
 public:
  struct Plugin {
    PluginInfo info = {};
    absl::Status info_error = {};
    absl::Status notify_error = {};
    bool hangs = false;  // no connection before the time is over
  };

  explicit FakeRegistrationClients(Threads& threads);

  void Serve(const std::string& path, Plugin plugin);
  MakeRegistrationClient Maker();

  // What the plugin was told so far: "registered", or the error.
  std::vector<std::string> Told(const std::string& path) const;
  // How often somebody connected, or tried to.
  int Connects(const std::string& path) const;
  int connecting() const;  // at this moment

 private:
  class Client;

  Plugin PluginAt(const std::string& path) const;

  Threads& threads_;
  mutable Mutex mu_;
  const std::unique_ptr<Condition> changed_;
  std::map<std::string, Plugin> plugins_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, std::vector<std::string>> told_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, int> connects_ ABSL_GUARDED_BY(mu_);
  int connecting_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace kubelet_cm::pluginwatcher

#endif  // KUBELET_CM_KUBELET_CM_PLUGINWATCHER_FAKE_REGISTRATION_CLIENTS_H_
