// Health checks, and what /healthz and /readyz say of them: in the kubelet's words, and with the reason of a failure,
// which the kubelet keeps to itself because others than this machine's users can ask.
#ifndef KUBELET_CM_KUBELET_CM_HTTP_HEALTH_CHECKS_H_
#define KUBELET_CM_KUBELET_CM_HTTP_HEALTH_CHECKS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "common/log/logger.h"
#include "kubelet_cm/http/http_server.h"

namespace kubelet_cm::http {

struct HealthCheck {
  std::string name = {};  // "device-plugin"
  // Called by several threads at once; comes back in a second or two, whatever is wrong.
  std::function<absl::Status()> check = {};
};

// The pages `path` ("/healthz") and, for each check, `path`/<its name>. Parameters: verbose lists the checks, exclude
// (any number of times) leaves one out. Without checks there is one, "ping", which is always fine. `log` outlives the
// pages.
HttpPages HealthPages(const std::string& path, std::vector<HealthCheck> checks, Logger& log);

}  // namespace kubelet_cm::http

#endif  // KUBELET_CM_KUBELET_CM_HTTP_HEALTH_CHECKS_H_
