#include "dra/claim/claim_check.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/container/btree_set.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kGroupApi = "scheduling.k8s.io";

// How often a driver's results ask for each operation to be skipped.
struct SkipCounts {
  size_t results = 0;
  size_t all = 0;                       // that have "*"
  std::map<std::string, size_t> named;  // of the others
};

void Count(const AllocatedDevice& result, SkipCounts& counts) {
  ++counts.results;
  const std::set<std::string> skipped(result.skip_node_operations.begin(), result.skip_node_operations.end());
  if (skipped.contains(std::string(kSkipAll))) {
    ++counts.all;
    return;
  }
  for (const std::string& operation : skipped) ++counts.named[operation];
}

std::vector<std::string> SkippedByAll(const SkipCounts& counts) {
  if (counts.all == counts.results) return {std::string(kSkipAll)};
  std::vector<std::string> skipped;
  for (const auto& [operation, count] : counts.named) {
    if (count + counts.all == counts.results) skipped.push_back(operation);
  }
  return skipped;
}

void AddLegacyDrivers(const ClaimObject& object, AllocatedClaim& claim) {
  claim.class_name = object.class_name;
  claim.driver_name = object.driver_name;
  claim.handles = object.allocation->handles;
  if (claim.handles.empty()) claim.handles.emplace_back();  // the claim's own driver is asked all the same
  for (const ResourceHandle& handle : claim.handles) {
    claim.drivers[handle.driver_name.empty() ? claim.driver_name : handle.driver_name];
  }
}

}  // namespace

absl::Status CheckOwner(const Pod& pod, const ClaimObject& claim, std::string_view pod_group) {
  const std::string claim_name = absl::StrCat("ResourceClaim ", claim.id.Key());
  const std::string pod_name = absl::StrCat("Pod ", pod.namespace_name, "/", pod.name);
  if (claim.id.namespace_name != pod.namespace_name) {
    return absl::PermissionDeniedError(absl::StrCat(claim_name, " is not in the same namespace as ", pod_name));
  }
  if (claim.controller.has_value() && claim.controller->uid == pod.uid) return absl::OkStatus();
  if (pod_group.empty()) {
    return absl::PermissionDeniedError(
        absl::StrCat(claim_name, " was not created for ", pod_name, " (Pod is not owner)"));
  }
  if (claim.controller.has_value() && claim.controller->api_group == kGroupApi &&
      claim.controller->kind == "PodGroup" && claim.controller->name == pod_group) {
    return absl::OkStatus();
  }
  return absl::PermissionDeniedError(absl::StrCat(claim_name, " was not created for ", pod_name,
                                                  " (neither Pod nor PodGroup ", std::string(pod_group),
                                                  " is the owner)"));
}

absl::Status CheckReservation(const Pod& pod, const ClaimObject& claim, std::string_view pod_group) {
  const bool reserved =
      std::any_of(claim.reserved_for.begin(), claim.reserved_for.end(), [&](const ClaimConsumer& consumer) {
        if (consumer.uid == pod.uid) return true;
        return !pod_group.empty() && consumer.api_group == kGroupApi && consumer.resource == "podgroups" &&
               consumer.name == pod_group;
      });
  if (reserved) return absl::OkStatus();
  return absl::PermissionDeniedError(absl::StrCat("pod ", pod.name, " (", pod.uid,
                                                  ") is not allowed to use ResourceClaim ", claim.id.name, " (",
                                                  claim.id.uid, ")"));
}

absl::StatusOr<AllocatedClaim> AllocatedClaimOf(const ClaimObject& object, bool optional_node_operations) {
  const auto error = [&](std::string_view what) {
    return absl::FailedPreconditionError(absl::StrCat("ResourceClaim ", object.id.name, ": ", std::string(what)));
  };
  if (!object.allocation.has_value()) return error("not allocated");
  AllocatedClaim claim{.id = object.id};
  std::map<std::string, SkipCounts> counts;
  for (const AllocatedDevice& result : object.allocation->results) Count(result, counts[result.driver]);
  for (const auto& [driver, skip_counts] : counts) {
    claim.drivers[driver].skip_node_operations = SkippedByAll(skip_counts);
    if (!claim.drivers[driver].skip_node_operations.empty() && !optional_node_operations) {
      return error("DRAOptionalNodeOperations feature gate is disabled on kubelet");
    }
  }
  if (!object.driver_name.empty() || !object.allocation->handles.empty()) AddLegacyDrivers(object, claim);
  return claim;
}

absl::StatusOr<AllocatedClaim> CheckClaim(const Pod& pod, const PodClaimName& name, const ClaimObject& claim,
                                          const ClaimCheckRules& rules) {
  if (name.check_owner) RETURN_IF_ERROR(CheckOwner(pod, claim, rules.pod_group));
  const absl::Status reserved = CheckReservation(pod, claim, rules.pod_group);
  if (!reserved.ok() && !rules.refused_as.empty()) {
    return absl::PermissionDeniedError(absl::StrCat("pod ", pod.name, "(", pod.uid,
                                                    ") is not allowed to use resource claim ", rules.refused_as, "(",
                                                    claim.id.uid, ")"));
  }
  RETURN_IF_ERROR(reserved);
  return AllocatedClaimOf(claim, rules.optional_node_operations);
}

std::vector<std::string> DriversToPrepare(absl::Span<const AllocatedClaim> claims) {
  absl::btree_set<std::string> drivers;
  for (const AllocatedClaim& claim : claims) {
    for (const auto& [name, driver] : claim.drivers) {
      const auto& skipped = driver.skip_node_operations;
      const bool skips = std::any_of(skipped.begin(), skipped.end(), [](const std::string& operation) {
        return operation == kSkipAll || operation == kSkipPrepare;
      });
      if (!skips) drivers.insert(name);
    }
  }
  return {drivers.begin(), drivers.end()};
}

}  // namespace kubelet_cm::dra
