// Must: what comes of a call that cannot fail here; if it does, the measurement ends with its error.
#ifndef KUBELET_CM_TOOLS_BENCH_MUST_H_
#define KUBELET_CM_TOOLS_BENCH_MUST_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/status/check.h"

namespace kubelet_cm {

inline void Must(const absl::Status& status) { CHECK(status.ok()) << status.ToString(); }

template <typename T>
T Must(absl::StatusOr<T> value) {
  Must(value.status());
  return *std::move(value);
}

}  // namespace kubelet_cm

#endif  // KUBELET_CM_TOOLS_BENCH_MUST_H_
