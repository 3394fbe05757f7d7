// What a driver's answer means for each claim that it was asked about, in upstream's words. Pure functions, for any
// thread.
#ifndef KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_
#define KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

enum class DraCall { kPrepare, kUnprepare };

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
ClaimResults JudgeAnswers(DraCall call, DraClient::Claims asked, absl::StatusOr<ClaimAnswers> answers);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_CLAIM_RESULTS_H_
