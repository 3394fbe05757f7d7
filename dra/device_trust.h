// DeviceTrust: a file beside the state file of claims. While it is there, devices that the state file shows are known
// to be prepared: nobody but this project wrote it.
//
// A kubelet keeps devices in its file when an unprepare has failed, so what it wrote says less than what this project
// writes; and the state file itself has a kubelet's exact bytes and nothing of ours in it. The file is taken away
// before a state is used that cannot be trusted, and given once a state is durable in which everything can: a crash in
// between costs a call that drivers are used to, never a device.
#ifndef KUBELET_CM_DRA_DEVICE_TRUST_H_
#define KUBELET_CM_DRA_DEVICE_TRUST_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "checkpointmanager/checkpoint_manager.h"

namespace kubelet_cm::dra {

inline constexpr char kDeviceTrustKey[] = "dra_manager_state_trusted";

// Thread-safe.
class DeviceTrust {
 public:
  // `files` is of the state file's folder, and outlives the object.
  explicit DeviceTrust(CheckpointManager& files) : files_(files) {}

  // At the start: whether the devices of the state file can be trusted. `deserved` is false when somebody else had the
  // node, or when whoever starts does not keep the promise itself; then the file is gone, durably, when this returns.
  absl::StatusOr<bool> Start(bool deserved);

  // The newest state, in which everything can be trusted, is durable. Writes when the file is not there yet; an error
  // leaves that to the next call.
  absl::Status Give();
  bool given() const { return given_; }

 private:
  CheckpointManager& files_;
  std::atomic<bool> given_ = false;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DEVICE_TRUST_H_
