// RestartTwin: whether a test runs as the twin of itself in which its MaybeRestart() lines really kill what it tests
// and start it again (restart_twin.bzl). A restart must not matter; where it does, the test has no such line, or says
// NoRestart with the reason.
//
// For the thread that steers the test.
#ifndef KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_
#define KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_

#include <string>
#include <string_view>

namespace kubelet_cm::harness {

// Whether this process is a twin, restarts or not.
bool IsRestartTwin();

class RestartTwin {
 public:
  // Whether what is tested is to be killed and started here; it says so in the test's output.
  bool RestartsHere() const;
  // Nothing is restarted from now on: why.
  void NoRestart(std::string_view why) { why_not_ = why; }

 private:
  std::string why_not_;
};

}  // namespace kubelet_cm::harness

#endif  // KUBELET_CM_TESTING_HARNESS_RESTART_TWIN_H_
