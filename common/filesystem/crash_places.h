// CrashPlaces: where a process that did these file operations can be killed so that it makes a difference.
//
// Before each operation, after it has taken effect and before it returns, and in the middle of each write. Places
// between which nothing changed are one place, and the last of them is taken: it is where most has been answered, so
// that most has to be there. An operation that changes nothing (a stat, a folder that exists already, the fsync of what
// is synced) therefore adds no place; it is known by the moments, not by its name.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_CRASH_PLACES_H_
#define KUBELET_CM_COMMON_FILESYSTEM_CRASH_PLACES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "common/filesystem/fault_plan.h"

namespace kubelet_cm {

struct CrashPlace {
  Fault stop;
  std::string name;      // "before operation 7 (rename /a /b)"
  size_t operation = 0;  // its index
  // The disk and all else are as at no later place: what a power cut can leave is to be looked at here.
  bool last_of_its_kind = true;
};

// `moments`: how things stood when each operation began. `torn_at`: bytes of a write between which it is torn.
// `is_call`: whether an operation stands for the edge of a call, which changes what is outside.
std::vector<CrashPlace> CrashPlaces(const std::vector<FileOperation>& trace, const std::vector<CrashMoment>& moments,
                                    size_t torn_at, absl::FunctionRef<bool(const FileOperation&)> is_call);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_CRASH_PLACES_H_
