// StoryLog: what a kubelet on a node in memory says, for the story: its lines since they were last taken. Nothing is
// kept, or even formatted, where nobody wants it: a sweep lives ten thousand lives. And nothing that threads of a
// kubelet say which do not know yet that it is dead.
//
// Not thread-safe: of a node in memory one thread runs at a time, and a lock would be a place where another one may go
// on, so that a run that is listened to would be another one.
#ifndef KUBELET_CM_TESTING_SCENARIOS_STORY_LOG_H_
#define KUBELET_CM_TESTING_SCENARIOS_STORY_LOG_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/log/logger.h"

namespace kubelet_cm::scenarios {

class StoryLog : public Logger {
 public:
  explicit StoryLog(std::function<bool()> is_dead) : is_dead_(std::move(is_dead)) {}

  // Lines up to level `verbosity` from now on; negative, as at first: none, errors neither.
  void Listen(int verbosity) { verbosity_ = verbosity; }

  bool Enabled(int verbosity) const override { return verbosity <= verbosity_; }
  void Write(const LogRecord& record) override;

  // As klog shows them, without time and process.
  std::vector<std::string> Take() { return std::exchange(lines_, {}); }

 private:
  const std::function<bool()> is_dead_;
  int verbosity_ = -1;
  std::vector<std::string> lines_;
};

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_STORY_LOG_H_
