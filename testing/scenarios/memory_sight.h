// What can be seen of a kubelet in this process. Waits for nothing.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_

#include "absl/status/statusor.h"
#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/memory_life.h"

namespace kubelet_cm::scenarios {

Sight LookAt(MemoryLife& life);
// NotFound for a series that is not there.
absl::StatusOr<double> MetricOf(MemoryLife& life, const proto::Expect::Metric& metric);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_
