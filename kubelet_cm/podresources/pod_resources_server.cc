#include "kubelet_cm/podresources/pod_resources_server.h"

#include <vector>

#include "common/status/status_macros.h"
#include "kubelet_cm/podresources/pod_resources_rules.h"
#include "kubelet_cm/podresources/pod_resources_service.h"

namespace kubelet_cm::podresources {
namespace {

// A request has two names in it.
constexpr int kMaxRequestBytes = 64 << 10;
constexpr absl::Duration kGrace = absl::Seconds(1);
// An answer can be a megabyte that a client does not fetch.
constexpr int kMaxThreads = 64;
// Who only reads does not keep plugins and agents out.
constexpr int kDescriptorsPercent = 50;

CallGate::Options GateOf(const PodResourcesServer::Options& options, const PodResourcesRules& rules) {
  CallGate::Options calls = options.calls;
  if (!rules.rate_limited) calls.per_second = 0;
  return calls;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PodResourcesServer>> PodResourcesServer::New(const Dependencies& dependencies,
                                                                            const Options& options) {
  const PodResourcesRules rules = RulesOf(*options.kubelet, options.features);
  if (!rules.served) return nullptr;
  std::unique_ptr<PodResourcesServer> server(new PodResourcesServer(dependencies, options, rules));
  std::vector<grpc::Service*> services = {server->old_service_.get()};
  if (server->service_ != nullptr) services.push_back(server->service_.get());
  dependencies.log.Info(
      "Setting rate limiting for endpoint",
      {{"service", "podresources"}, {"qps", GateOf(options, rules).per_second}, {"burstTokens", options.calls.burst}});
  ASSIGN_OR_RETURN(server->server_, UnixSocketServer::New(dependencies.files, services,
                                                          {.path = options.socket_path,
                                                           .replace_atomically = true,
                                                           .max_receive_bytes = kMaxRequestBytes,
                                                           .max_threads = kMaxThreads,
                                                           .accept_with = options.accept_with,
                                                           .descriptors_percent = kDescriptorsPercent}));
  return server;
}

PodResourcesServer::PodResourcesServer(const Dependencies& dependencies, const Options& options,
                                       const PodResourcesRules& rules)
    : files_(dependencies.files),
      socket_path_(options.socket_path),
      metrics_(dependencies.metrics),
      lister_({.source = dependencies.source, .metrics = metrics_, .log = dependencies.log}, rules),
      gate_(dependencies.clock, GateOf(options, rules)),
      service_(rules.v1 ? NewPodResourcesService(lister_, gate_) : nullptr),
      old_service_(NewOldPodResourcesService(lister_, gate_)) {}

PodResourcesServer::~PodResourcesServer() = default;

void PodResourcesServer::Shutdown() {
  if (server_ == nullptr) return;
  // Before the server goes: nobody is to find a socket on which nobody answers.
  files_.Unlink(socket_path_).IgnoreError();
  server_->Shutdown(kGrace);
  server_.reset();
}

}  // namespace kubelet_cm::podresources
