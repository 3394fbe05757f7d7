#include "tools/bench/machine_speed.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "absl/strings/str_format.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr size_t kCopyBytes = size_t{64} << 20;
constexpr int kCopies = 5;
constexpr int kSyncs = 31;

double MeasureCopy(const Clock& clock) {
  const std::vector<char> from(kCopyBytes, 'x');
  std::vector<char> to(kCopyBytes);
  absl::Duration best = absl::InfiniteDuration();
  for (int i = 0; i < kCopies; ++i) {
    const MonotonicTime start = clock.MonotonicNow();
    std::memcpy(to.data(), from.data(), kCopyBytes);
    // The copy must not be optimised away.
    asm volatile("" : : "r"(to.data()) : "memory");
    best = std::min(best, clock.MonotonicNow() - start);
  }
  return static_cast<double>(kCopyBytes) / absl::ToDoubleNanoseconds(best);
}

absl::StatusOr<absl::Duration> MeasureSync(const Clock& clock, FileSystem& file_system, const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, file_system.Open(path, OpenMode::kCreate));
  const std::string block(4096, 'x');
  std::vector<absl::Duration> durations;
  for (int i = 0; i < kSyncs; ++i) {
    RETURN_IF_ERROR(file->Write(block));
    const MonotonicTime start = clock.MonotonicNow();
    RETURN_IF_ERROR(file->Sync());
    durations.push_back(clock.MonotonicNow() - start);
  }
  RETURN_IF_ERROR(file->Close());
  std::nth_element(durations.begin(), durations.begin() + kSyncs / 2, durations.end());
  return durations[kSyncs / 2];
}

}  // namespace

std::string MachineSpeed::ToString() const {
  return absl::StrFormat("memcpy %.1f GB/s, fsync %.3f ms", copy_gigabytes_per_second,
                         absl::ToDoubleMilliseconds(fsync));
}

absl::StatusOr<MachineSpeed> MeasureMachine(const Clock& clock, FileSystem& file_system, const std::string& folder) {
  MachineSpeed speed;
  speed.copy_gigabytes_per_second = MeasureCopy(clock);
  const std::string path = JoinPath(folder, "kubelet_cm_bench_fsync");
  const absl::StatusOr<absl::Duration> fsync = MeasureSync(clock, file_system, path);
  RETURN_IF_ERROR(file_system.Unlink(path));
  RETURN_IF_ERROR(fsync.status());
  speed.fsync = *fsync;
  return speed;
}

}  // namespace kubelet_cm
