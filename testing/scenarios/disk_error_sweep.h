// SweepDiskErrors: a scenario against every error of the disk that it can meet, one by one; nothing is sampled.
//
// The scenario runs once to count the kubelet's file operations. Then it runs once per operation and error: the
// operation fails with EIO, with EACCES, with ENOSPC from then on for good, after it has taken effect; a write arrives
// by half. What is answered may be a refusal and a start may be refused, but the invariants have to hold at every step,
// and the node has to heal once the disk works.
#ifndef KUBELET_CM_TESTING_SCENARIOS_DISK_ERROR_SWEEP_H_
#define KUBELET_CM_TESTING_SCENARIOS_DISK_ERROR_SWEEP_H_

#include <cstddef>

#include "testing/scenarios/crash_sweep.h"
#include "testing/scenarios/scenario_file.h"

namespace kubelet_cm::scenarios {

struct DiskErrorResult {
  size_t operations = 0;  // of the scenario when nothing happens
  size_t errors = 0;      // of this shard
  std::vector<SweptCrash> failures = {};
};

DiskErrorResult SweepDiskErrors(const ScenarioFile& file, const SweepOptions& options);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_DISK_ERROR_SWEEP_H_
