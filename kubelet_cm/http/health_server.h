// HealthServer: the daemon's pages: /healthz, /readyz, /metrics, /configz, /statusz, /flagz.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_HEALTH_SERVER_H_
#define KUBELET_CM_KUBELET_CM_HTTP_HEALTH_SERVER_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/log/logger.h"
#include "common/threads/threads.h"
#include "kubelet_cm/http/health_checks.h"
#include "kubelet_cm/http/http_server.h"

namespace kubelet_cm::http {

// Where the pages' contents come from; called by several threads at once. Outlives the server with all it refers to.
struct HealthServerPages {
  std::vector<HealthCheck> healthz = {};
  std::vector<HealthCheck> readyz = {};
  std::function<std::string()> metrics = {};  // Prometheus' text format
  std::function<std::string()> configz = {};  // JSON
  std::function<std::string()> statusz = {};  // text
  std::function<std::string()> flagz = {};    // text
};

// As HttpServer::Bind. A page whose content has no source is not there.
absl::StatusOr<std::unique_ptr<HttpServer>> NewHealthServer(Threads& threads, Logger& log, HealthServerPages pages,
                                                            const HttpServerOptions& options);

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_HEALTH_SERVER_H_
