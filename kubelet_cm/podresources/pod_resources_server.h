// PodResourcesServer: the podresources API on its unix socket.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVER_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVER_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "common/clock/clock.h"
#include "common/features/feature_gates.h"
#include "common/features/known_gates.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "common/metrics/registry.h"
#include "common/personality/personality.h"
#include "common/threads/threads.h"
#include "common/unixsocket/server.h"
#include "kubelet_cm/podresources/call_gate.h"
#include "kubelet_cm/podresources/pod_resources_lister.h"
#include "kubelet_cm/podresources/pod_resources_metrics.h"
#include "kubelet_cm/podresources/pod_resources_source.h"

namespace kubelet_cm::podresources {

// Made, shut down and destroyed by one thread.
class PodResourcesServer {
 public:
  // All of it outlives the server.
  struct Dependencies {
    FileSystem& files;  // the real one
    const Clock& clock;
    Logger& log;
    MetricsRegistry& metrics;
    PodResourcesSource& source;
  };
  struct Options {
    std::string socket_path = {};    // <root>/pod-resources/kubelet.sock
    Threads* accept_with = nullptr;  // as of UnixSocketServerOptions
    const Personality* kubelet = &LatestPersonality();
    FeatureGates features = FeatureGates(KnownGates());
    CallGate::Options calls = {};
  };

  // Serving when it returns. The folder is made; at no moment is there no socket where one was. Null for a kubelet that
  // has no such API.
  static absl::StatusOr<std::unique_ptr<PodResourcesServer>> New(const Dependencies& dependencies,
                                                                 const Options& options);
  // The socket stays, as a kubelet's does.
  ~PodResourcesServer();
  PodResourcesServer(const PodResourcesServer&) = delete;
  PodResourcesServer& operator=(const PodResourcesServer&) = delete;

  // Takes no more calls, and removes the socket. Calls that are still answered are cut after a second.
  void Shutdown();

 private:
  PodResourcesServer(const Dependencies& dependencies, const Options& options, const PodResourcesRules& rules);

  FileSystem& files_;
  const std::string socket_path_;
  PodResourcesMetrics metrics_;
  PodResourcesLister lister_;
  CallGate gate_;
  const std::unique_ptr<grpc::Service> service_;  // null for a kubelet without v1
  const std::unique_ptr<grpc::Service> old_service_;
  std::unique_ptr<UnixSocketServer> server_;  // null before New is through, and after Shutdown
};

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_SERVER_H_
