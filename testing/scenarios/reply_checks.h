// What is wrong with what a kubelet answered, or would not do.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_REPLY_CHECKS_H_
#define KUBELET_CM_TESTING_SCENARIOS_REPLY_CHECKS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

// What a step has of the answer to its request.
struct WantedReply {
  proto::Outcome outcome = proto::OK;
  std::string reason = {};   // of a refusal
  std::string message = {};  // in its text
};

std::string WordsOf(const Reply& reply);
// Nothing, or one sentence. The request is not under way any more.
std::vector<std::string> WrongWith(const Reply& reply, const WantedReply& wanted);
// `refused_with`: in the text of the refusal; empty: there is to be none.
std::vector<std::string> WrongWith(const absl::Status& refusal, const std::string& refused_with);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_REPLY_CHECKS_H_
