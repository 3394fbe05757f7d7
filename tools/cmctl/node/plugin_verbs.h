// cmctl plugin: what a socket is, and calls to a device plugin, without a daemon.
#ifndef KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_VERBS_H_
#define KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_VERBS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cmctl/tool_environment.h"

namespace kubelet_cm::cmctl {

struct ProbeOptions {
  std::string socket = {};
  std::string output = "text";  // text, json, yaml
};

struct PluginCallOptions {
  std::string socket = {};
  std::string call = {};                       // options, list, allocate, prestart, preferred
  std::string api = "v1beta1";                 // v1beta1, v1alpha2, 0.1
  std::vector<std::string> devices = {};       // allocate, prestart: these; preferred: those that are available
  std::vector<std::string> must_include = {};  // preferred
  int32_t size = 1;                            // preferred
  bool watch = false;                          // list: all messages, not only the first
  bool show_secrets = false;                   // the values of environment variables
  std::string output = "text";                 // text, json, yaml
};

// kRefused when something answers that nothing here knows.
int RunProbe(const ProbeOptions& options, const ToolEnvironment& environment);
// kRefused for an error that the plugin answers.
int RunPluginCall(const PluginCallOptions& options, const ToolEnvironment& environment);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_NODE_PLUGIN_VERBS_H_
