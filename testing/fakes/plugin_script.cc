#include "testing/fakes/plugin_script.h"

#include "absl/strings/str_join.h"

namespace kubelet_cm::fakes {

std::string MethodName(PluginMethod method) {
  switch (method) {
    case PluginMethod::kGetOptions:
      return "GetDevicePluginOptions";
    case PluginMethod::kListAndWatch:
      return "ListAndWatch";
    case PluginMethod::kAllocate:
      return "Allocate";
    case PluginMethod::kGetPreferredAllocation:
      return "GetPreferredAllocation";
    case PluginMethod::kPreStartContainer:
      return "PreStartContainer";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const PluginCall& call) {
  out << MethodName(call.method) << "(" << absl::StrJoin(call.ids, ",");
  if (call.method == PluginMethod::kGetPreferredAllocation) {
    out << "; must include " << absl::StrJoin(call.must_include, ",") << "; " << call.size;
  }
  return out << ")";
}

}  // namespace kubelet_cm::fakes
