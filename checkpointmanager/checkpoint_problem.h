// Something about a state file that a person should know: what is wrong, in one sentence, and where in the file.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <string>

namespace kubelet_cm {

struct CheckpointProblem {
  std::string text;
  // In bytes from the start of the file; nothing where the problem has no one place.
  std::optional<int64_t> offset = std::nullopt;

  friend bool operator==(const CheckpointProblem&, const CheckpointProblem&) = default;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_
