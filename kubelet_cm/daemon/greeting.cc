#include "kubelet_cm/daemon/greeting.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/version/version.h"

namespace kubelet_cm {

std::string RenderGreeting(const Greeting& greeting) {
  const std::string root = greeting.default_root ? "" : absl::StrCat(" --root-dir ", greeting.paths.root);
  const std::string plugin_folder =
      greeting.default_root ? "" : absl::StrCat(" --socket-dir ", greeting.paths.device_plugins);
  std::string text = absl::StrCat("kubelet_cm ", kVersion, " is ready (", absl::StrJoin(greeting.restored, "; "), ")\n",
                                  "  device plugins register at  ", greeting.paths.registration_socket, "\n",
                                  "  DRA drivers and plugins in  ", greeting.paths.plugins_registry, "\n",
                                  "  pod resources at            ", greeting.paths.pod_resources_socket, "\n",
                                  "  cmctl and node agents at    ", greeting.paths.control_socket, "\n");
  if (greeting.http_port != 0) {
    absl::StrAppend(&text, "  health and metrics at       http://127.0.0.1:", greeting.http_port, "/healthz\n");
  }
  absl::StrAppend(&text, "Try, in another terminal:\n",
                  "  ./bazelw run //testing/fakes:device_plugin -- --resource example.com/widget --devices 4",
                  plugin_folder, "\n", "  ./bazelw run //tools/cmctl -- get devices", root, "\n",
                  "  ./bazelw run //tools/cmctl -- admit -f examples/pod.yaml", root, "\n");
  return text;
}

}  // namespace kubelet_cm
