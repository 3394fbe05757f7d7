// Something that is wrong with a device checkpoint, for people and for programs.
#ifndef KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_PROBLEM_H_
#define KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_PROBLEM_H_

#include <cstdint>
#include <optional>
#include <string>

namespace kubelet_cm::deviceplugin {

enum class DeviceProblemKind {
  kNotReadable,           // not JSON, other types than the format's, or beyond a limit
  kNotADeviceCheckpoint,  // JSON of something else
  kChecksumMismatch,
  kHeldTwice,             // a device that two pods hold
  kNotRegistered,         // a device that is held and not among the registered ones of its resource
  kUnreadableAllocation,  // an allocation response that is no ContainerAllocateResponse
  kLost,                  // by salvaging
};

struct DeviceProblem {
  DeviceProblemKind kind;
  std::string sentence;           // names pod, container, resource and device as far as they are known
  std::optional<int64_t> offset;  // in the file, in bytes

  friend bool operator==(const DeviceProblem&, const DeviceProblem&) = default;
};

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_CHECKPOINT_DEVICE_PROBLEM_H_
