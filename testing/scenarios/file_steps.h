// What steps do to files while no kubelet runs.
#ifndef KUBELET_CM_TESTING_SCENARIOS_FILE_STEPS_H_
#define KUBELET_CM_TESTING_SCENARIOS_FILE_STEPS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "testing/scenarios/bench_node.h"

namespace kubelet_cm::scenarios {

// The bytes of the file, damaged. InvalidArgument where that cannot be done to so few bytes, or changes nothing.
absl::StatusOr<std::string> Damage(const proto::Corrupt& corrupt, std::string bytes);

// The bytes of a file in the runfiles of the test, by its path in the workspace.
absl::StatusOr<std::string> ReadGolden(const std::string& path);

absl::Status CorruptFile(const proto::Corrupt& corrupt, BenchNode& node);
absl::Status PlaceFile(const proto::PlaceFile& place, BenchNode& node);
absl::Status PlaceDevices(const proto::PlaceDevices& place, BenchNode& node);

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_FILE_STEPS_H_
