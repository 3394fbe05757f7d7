// What is asked of a daemon about pods, as Replies: each one call of the control API or a few, one after the other.
// Thread-safe, as the client is.
#ifndef KUBELET_CM_TESTING_SCENARIOS_PROGRAM_CALLS_H_
#define KUBELET_CM_TESTING_SCENARIOS_PROGRAM_CALLS_H_

#include <string>

#include "common/node/pod.h"
#include "testing/harness/control_client.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

Reply AskToAdmit(const harness::ControlClient& daemon, const Pod& pod);
Reply AskToPrepare(const harness::ControlClient& daemon, const std::string& pod);
// What the container is to get, and that it runs.
Reply AskToStart(const harness::ControlClient& daemon, const std::string& pod, const std::string& container);
Reply SayExited(const harness::ControlClient& daemon, const std::string& pod, const std::string& container);
Reply AskToRemove(const harness::ControlClient& daemon, const std::string& pod, bool force);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_PROGRAM_CALLS_H_
