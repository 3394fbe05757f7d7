// LookAt: what can be seen of a kubelet in this process. Waits for nothing.
#ifndef KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_
#define KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_

#include "testing/scenarios/bench_node.h"
#include "testing/scenarios/memory_life.h"

namespace kubelet_cm::scenarios {

Sight LookAt(MemoryLife& life);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_MEMORY_SIGHT_H_
