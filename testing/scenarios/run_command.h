// RunScenarios: the command line of //testing/scenarios:run: plays scenario files on nodes in memory, and tells their
// stories; docs/scenarios.md.
#ifndef KUBELET_CM_TESTING_SCENARIOS_RUN_COMMAND_H_
#define KUBELET_CM_TESTING_SCENARIOS_RUN_COMMAND_H_

namespace kubelet_cm::scenarios {

// The program's exit code: 0 passed, 1 failed, 2 a file or the command line is wrong.
int RunScenarios(int argc, const char* const* argv);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_RUN_COMMAND_H_
