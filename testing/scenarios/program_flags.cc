#include "testing/scenarios/program_flags.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm::scenarios {

std::vector<std::string> FlagsOf(const proto::Node& machine) {
  // Claims of pods that are gone are looked for all the time, as no clock can be moved on here.
  std::vector<std::string> flags = {"--dra-reconcile-interval=1s"};
  const auto& nodes = machine.numa_nodes();
  flags.push_back(absl::StrCat("--numa-nodes=", nodes.empty() ? "0" : absl::StrJoin(nodes, ",")));
  if (!machine.topology_policy().empty()) {
    flags.push_back(absl::StrCat("--topology-manager-policy=", machine.topology_policy()));
  }
  if (!machine.topology_scope().empty()) {
    flags.push_back(absl::StrCat("--topology-manager-scope=", machine.topology_scope()));
  }
  if (machine.podresources_qps() > 0) {
    flags.push_back(absl::StrCat("--podresources-qps=", machine.podresources_qps()));
  }
  if (machine.podresources_burst() > 0) {
    flags.push_back(absl::StrCat("--podresources-burst=", machine.podresources_burst()));
  }
  if (machine.recover() == proto::Node::STRICT) flags.emplace_back("--recover=strict");
  return flags;
}

}  // namespace kubelet_cm::scenarios
