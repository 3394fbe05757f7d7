// NamedPoints: the moments between two steps of the kubelet's work at which a crash is worth a name (dies_at { point
// }): what has been done by then and what has not. docs/scenarios.md has the same table.
//
// Pure functions.
#ifndef KUBELET_CM_TESTING_SCENARIOS_NAMED_POINTS_H_
#define KUBELET_CM_TESTING_SCENARIOS_NAMED_POINTS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kubelet_cm::scenarios {

struct NamedPoint {
  std::string_view name;
  std::string_view meaning;  // what has been done, and what has not
  std::string_view call;     // an edge of it; or
  std::string_view op;       // a file operation
  std::string_view path;     // of the operation: a regular expression
  bool after;                // the call has been answered, the operation has taken effect
};

// In the order of a pod's life.
const std::vector<NamedPoint>& NamedPoints();

std::optional<NamedPoint> NamedPointOf(std::string_view name);

// "devices_chosen, devices_answered, ..."
std::string NamesOfPoints();

}  // namespace kubelet_cm::scenarios

#endif  // KUBELET_CM_TESTING_SCENARIOS_NAMED_POINTS_H_
