// cmctl bundle: all that is needed to look at a node's trouble elsewhere, in one archive without secrets.
#ifndef KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_H_
#define KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_H_

#include <string>

#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct BundleOptions {
  std::string out = {};  // empty: kubelet_cm-bundle-<UTC time>.tar.gz here; "-": standard output
  bool force = false;
  std::string health_address = "127.0.0.1";
  int health_port = 10248;
  ConnectionFlags connection = {};
};

// kOk also when the daemon is not there: what was missing is said in the archive's bundle.txt and on standard error.
int RunBundle(const BundleOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_BUNDLE_BUNDLE_H_
