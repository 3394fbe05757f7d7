#include "common/node/topology_policy.h"

#include <array>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace kubelet_cm {
namespace {

constexpr std::array<std::pair<TopologyPolicy, std::string_view>, 4> kPolicies = {{
    {TopologyPolicy::kNone, "none"},
    {TopologyPolicy::kBestEffort, "best-effort"},
    {TopologyPolicy::kRestricted, "restricted"},
    {TopologyPolicy::kSingleNumaNode, "single-numa-node"},
}};

constexpr std::array<std::pair<TopologyScope, std::string_view>, 2> kScopes = {{
    {TopologyScope::kContainer, "container"},
    {TopologyScope::kPod, "pod"},
}};

template <typename Table>
std::string_view NameOf(const Table& table, typename Table::value_type::first_type value) {
  for (const auto& [known, name] : table) {
    if (known == value) return name;
  }
  return "";
}

}  // namespace

absl::StatusOr<TopologyPolicy> ParseTopologyPolicy(std::string_view name) {
  for (const auto& [policy, known] : kPolicies) {
    if (known == name) return policy;
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown policy: \"", std::string(name), "\""));
}

absl::StatusOr<TopologyScope> ParseTopologyScope(std::string_view name) {
  for (const auto& [scope, known] : kScopes) {
    if (known == name) return scope;
  }
  return absl::InvalidArgumentError(absl::StrCat("unknown scope: \"", std::string(name), "\""));
}

std::string_view TopologyPolicyName(TopologyPolicy policy) { return NameOf(kPolicies, policy); }

std::string_view TopologyScopeName(TopologyScope scope) { return NameOf(kScopes, scope); }

absl::Status CheckNumaNodeCount(TopologyPolicy policy, size_t node_count, int max_allowable_numa_nodes) {
  if (policy == TopologyPolicy::kNone || std::cmp_less_equal(node_count, max_allowable_numa_nodes)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(
      absl::StrCat("unsupported on machines with more than ", max_allowable_numa_nodes, " NUMA Nodes"));
}

}  // namespace kubelet_cm
