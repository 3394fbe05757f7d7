// What a driver's answer means for each claim that it was asked about, in upstream's words of some time. Pure
// functions, for any thread.
#ifndef KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_
#define KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_

#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

enum class DraCall { kPrepare, kUnprepare };

// In whose words failures are told.
enum class CallWords {
  kUntil126,
  kUntil127,  // the same, but for a list
  kUntil129,  // an unprepare that failed for a claim had no reason
  kUntil130,
  kUntil133,
  kNewest,
};

// What some of them name besides the claim.
struct CallWording {
  CallWords words = CallWords::kNewest;
  std::string_view driver = {};
  std::string_view pod_name = {};
};

struct ClaimResult {
  absl::Status status = absl::OkStatus();
  std::vector<ClaimDevice> devices = {};  // of a prepared claim
};

struct ClaimResults {
  std::vector<ClaimResult> claims;  // one for each that was asked about, in that order
  // What a kubelet says of the call: the first of what went wrong. OK when all claims are.
  absl::Status error = absl::OkStatus();
};

// A call that failed, or an answer that names a claim nobody asked about, fails every claim; an error about a claim
// fails that one; and so does no answer about it.
ClaimResults JudgeAnswers(DraCall call, DraClient::Claims asked, absl::StatusOr<ClaimAnswers> answers,
                          const CallWording& wording = {});

// What is said of a driver that cannot be called, because of `why`.
absl::Status CannotCall(DraCall call, const absl::Status& why, const CallWording& wording);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_
