// Something about a state file that a person should know: what is wrong, in one sentence, and where in the file. All
// readers of state files report in this form.
#ifndef KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_
#define KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kubelet_cm {

enum class CheckpointProblemKind {
  kNotReadable,    // not JSON, other types than the format's, or beyond a limit
  kNotRecognised,  // JSON of something else
  kChecksumMismatch,
  // Readable, but what cannot be.
  kHeldTwice,             // a device that two pods hold
  kNotRegistered,         // a device that is held and not among the registered ones of its resource
  kUnreadableAllocation,  // an allocation response that is no ContainerAllocateResponse
  kOdd,                   // anything else that a kubelet would not leave
  kLost,                  // by salvaging
};

struct CheckpointProblem {
  CheckpointProblemKind kind = CheckpointProblemKind::kNotReadable;
  std::string text;
  // In bytes from the start of the file; nothing where the problem has no one place.
  std::optional<int64_t> offset = std::nullopt;

  friend bool operator==(const CheckpointProblem&, const CheckpointProblem&) = default;
};

// "not-readable", as cmctl shows it.
inline std::string_view KindName(CheckpointProblemKind kind) {
  constexpr std::string_view kNames[] = {"not-readable",
                                         "not-recognised",
                                         "checksum-mismatch",
                                         "held-twice",
                                         "not-registered",
                                         "unreadable-response",
                                         "odd",
                                         "lost"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_CHECKPOINTMANAGER_CHECKPOINT_PROBLEM_H_
