// DaemonLog: what daemons have said that ran one after the other, taken line by line.
//
// For one thread.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DAEMON_LOG_H_
#define KUBELET_CM_TESTING_SCENARIOS_DAEMON_LOG_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm::scenarios {

class DaemonLog {
 public:
  // The daemon that has said all this is gone, and another one comes.
  void Next(std::string_view output);
  // The lines that were not taken yet, of which the daemon that runs has said `output` so far. What it has not ended
  // with a newline is left for later.
  std::vector<std::string> Take(std::string_view output);

 private:
  std::string of_others_;  // that are gone
  size_t taken_ = 0;       // bytes of the last one's output
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DAEMON_LOG_H_
