#include "testing/scenarios/head_checks.h"

#include <string>
#include <string_view>

#include "common/node/topology_policy.h"
#include "common/personality/personality.h"
#include "re2/re2.h"

namespace kubelet_cm::scenarios {

void CheckHead(const proto::Scenario& scenario, const TextPlace& place) {
  if (!RE2::FullMatch(scenario.name(), "[a-z][a-z0-9]*(_[a-z0-9]+)*")) {
    place.Complain("name", "a scenario's name is lower-case words joined by _");
  }
  place.Needs("teaches", scenario.teaches());
  if (!scenario.starts_as().empty() && !ParsePersonality(scenario.starts_as()).ok()) {
    place.Complain("starts_as", "is no version of a kubelet that had a device manager, nor \"latest\"");
  }
  static constexpr std::string_view kInvariants = "D1 D2 D3 D4 D5 D6 D7 C1 C2 C3 C4";
  for (int i = 0; i < scenario.breaks_size(); ++i) {
    const std::string& broken = scenario.breaks(i).invariant();
    const TextPlace nested = place.Nested("breaks", i);
    if (broken.size() != 2 || kInvariants.find(broken) == std::string_view::npos) {
      nested.Complain("invariant", "the invariants are D1 to D7 and C1 to C4");
    }
    nested.Needs("because", scenario.breaks(i).because());
  }
  if (!scenario.has_node()) return;
  const TextPlace node = place.Nested("node");
  const std::string& policy = scenario.node().topology_policy();
  const std::string& scope = scenario.node().topology_scope();
  if (!policy.empty() && !ParseTopologyPolicy(policy).ok()) node.Complain("topology_policy", "is no policy");
  if (!scope.empty() && !ParseTopologyScope(scope).ok()) node.Complain("topology_scope", "is no scope");
}

}  // namespace kubelet_cm::scenarios
