// PluginScript: what a fake device plugin was asked, and what it does at which call instead of answering; call_script.h
// says how it is used.
#ifndef KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_
#define KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "testing/fakes/call_script.h"

namespace kubelet_cm::fakes {

enum class PluginMethod { kGetOptions, kListAndWatch, kAllocate, kGetPreferredAllocation, kPreStartContainer };

// "Allocate" and so on, as in the protocol.
std::string MethodName(PluginMethod method);

struct PluginCall {
  PluginMethod method = PluginMethod::kGetOptions;
  std::vector<std::string> ids = {};  // in the order of the request; those available, for GetPreferredAllocation
  std::vector<std::string> must_include = {};
  int32_t size = 0;

  friend bool operator==(const PluginCall&, const PluginCall&) = default;
};

std::ostream& operator<<(std::ostream& out, const PluginCall& call);

enum class PluginAct {
  kAnswer,
  kFail,            // with PluginStep::error
  kNoContainers,    // an answer about no container
  kExtraContainer,  // an answer about one container too many
  kOtherIds,        // the answer is about devices that nobody mentioned
  kExtraIds,        // the answer is about more devices than were asked for
  kEndStream,       // the plugin ends its open ListAndWatch streams properly, and answers
  kDie,             // the plugin dies while it is asked
};

struct PluginStep {
  bool held = false;                            // first waits for Release; never released, it hangs
  absl::Duration delay = absl::ZeroDuration();  // or for so long
  PluginAct act = PluginAct::kAnswer;
  absl::Status error = absl::InternalError("the script says so");
};

using PluginScript = CallScript<PluginCall, PluginStep>;

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_PLUGIN_SCRIPT_H_
