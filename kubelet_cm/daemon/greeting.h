// What the daemon says when it is ready: where its sockets are, and what to try next. A pure function.
#ifndef KUBELET_CM_KUBELET_CM_DAEMON_GREETING_H_
#define KUBELET_CM_KUBELET_CM_DAEMON_GREETING_H_

#include <string>
#include <vector>

#include "kubelet_cm/daemon/daemon_paths.h"

namespace kubelet_cm {

struct Greeting {
  DaemonPaths paths;
  int http_port = 0;  // 0: there are no pages
  std::vector<std::string> restored = {};
  bool default_root = true;  // cmctl finds the daemon by itself
};

std::string RenderGreeting(const Greeting& greeting);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_KUBELET_CM_DAEMON_GREETING_H_
