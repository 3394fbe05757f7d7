// SweepCrashes: a scenario against every crash that it can meet, one by one; nothing is sampled.
//
// The scenario runs once to list the kubelet's file operations and the edges of its calls to plugins and drivers. Then
// it runs once per place where it can be killed (common/filesystem/crash_places.h): before each of these that changes
// something, after it has taken effect and before it returns, and in the middle of each write. What is left starts
// again,
//   - after a kill: with everything that was written;
//   - after a power cut: once for each image that the disk may be in (common/filesystem/fake_disk_image.h).
// Then the invariants are looked at, the scenario's `after_crash` steps are played, and the node has to heal.
#ifndef KUBELET_CM_TESTING_SCENARIOS_CRASH_SWEEP_H_
#define KUBELET_CM_TESTING_SCENARIOS_CRASH_SWEEP_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "testing/scenarios/scenario_file.h"
#include "testing/scenarios/story.h"

namespace kubelet_cm::scenarios {

struct SweepOptions {
  std::string version = {};  // that the node starts as; empty: as the scenario says
  uint64_t seed = 1;
  // This one of so many takes every n-th place.
  size_t shard = 0;
  size_t shards = 1;
  size_t most_failures = 3;  // the sweep ends after so many
  int log = -1;              // the level up to which stories have the kubelet's lines; negative: none
};

struct SweptCrash {
  std::string where;  // "kill before operation 7 (rename /a /b)"
  Story story;        // a failed one
};

struct SweepResult {
  size_t operations = 0;  // of the scenario when nothing happens
  size_t points = 0;      // kills, of this shard
  size_t images = 0;      // disk images, of this shard
  std::vector<SweptCrash> failures = {};
};

SweepResult SweepCrashes(const ScenarioFile& file, const SweepOptions& options);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_CRASH_SWEEP_H_
