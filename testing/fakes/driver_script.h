// DriverScript: what a fake DRA driver was asked, and what it does at which call instead of answering; call_script.h
// says how it is used. A call that is about one claim counts as any other.
#ifndef KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_
#define KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "testing/fakes/call_script.h"

namespace kubelet_cm::fakes {

enum class DriverMethod { kPrepare, kUnprepare, kGetInfo, kNotify };

std::string MethodName(DriverMethod method);

struct DriverCall {
  DriverMethod method = DriverMethod::kPrepare;
  std::vector<std::string> claim_uids = {};  // in the order of the request
  bool registered = false;                   // of kNotify
  std::string error = {};

  friend bool operator==(const DriverCall&, const DriverCall&) = default;
};

std::ostream& operator<<(std::ostream& out, const DriverCall& call);

enum class DriverAct {
  kAnswer,
  kFail,          // with DriverStep::error
  kClaimError,    // the message of DriverStep::error is the answer about the first claim
  kSkipClaim,     // no answer about the first claim
  kUnknownClaim,  // an answer about a claim that nobody mentioned, too
  kNoDevices,     // claims are prepared, and have nothing
  kDie,           // the driver dies while it is asked
};

struct DriverStep {
  bool held = false;                            // first waits for Release; never released, it hangs
  absl::Duration delay = absl::ZeroDuration();  // or for so long
  DriverAct act = DriverAct::kAnswer;
  absl::Status error = absl::InternalError("the script says so");
};

using DriverScript = CallScript<DriverCall, DriverStep>;

}  // namespace kubelet_cm::fakes

#endif  // KUBELET_CM_TESTING_FAKES_DRIVER_SCRIPT_H_
