#include "testing/fakes/driver_script.h"

#include "absl/strings/str_join.h"

namespace kubelet_cm::fakes {

std::string MethodName(DriverMethod method) {
  switch (method) {
    case DriverMethod::kPrepare:
      return "NodePrepareResources";
    case DriverMethod::kUnprepare:
      return "NodeUnprepareResources";
    case DriverMethod::kGetInfo:
      return "GetInfo";
    case DriverMethod::kNotify:
      return "NotifyRegistrationStatus";
  }
  return "?";
}

std::ostream& operator<<(std::ostream& out, const DriverCall& call) {
  out << MethodName(call.method) << "(" << absl::StrJoin(call.claim_uids, ",");
  if (call.method == DriverMethod::kNotify) out << (call.registered ? "registered" : "refused: ") << call.error;
  return out << ")";
}

}  // namespace kubelet_cm::fakes
