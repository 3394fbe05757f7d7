// IsRestartTwin: whether a test runs as the twin of itself in which its MaybeRestart() lines really kill what it tests
// and start it again (restart_twin.bzl). A restart must not matter; where it does, the test has no such line and says
// why.
#ifndef KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_
#define KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_

namespace kubelet_cm::harness {

bool IsRestartTwin();

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_
