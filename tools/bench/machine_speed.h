// How fast this machine is at what the measurements depend on, so that figures from different machines can be compared:
// copying memory, and making a small write durable.
#ifndef KUBELET_CM_TOOLS_BENCH_MACHINE_SPEED_H_
#define KUBELET_CM_TOOLS_BENCH_MACHINE_SPEED_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock/clock.h"
#include "common/filesystem/file_system.h"

namespace kubelet_cm {

struct MachineSpeed {
  double copy_gigabytes_per_second = 0;  // memcpy of 64 MiB, best of several
  absl::Duration fsync;                  // of a file with 4 KiB appended, median

  // "memcpy 11.2 GB/s, fsync 0.84 ms"
  std::string ToString() const;
};

// Takes some tenths of a second. `folder` is where the file for fsync is made, and removed again.
absl::StatusOr<MachineSpeed> MeasureMachine(const Clock& clock, FileSystem& file_system, const std::string& folder);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_MACHINE_SPEED_H_
