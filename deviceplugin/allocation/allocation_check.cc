#include "deviceplugin/allocation/allocation_check.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"

namespace kubelet_cm::deviceplugin {
namespace {

// A container that ran through the restart uses its devices at this moment. Kubelets take that into account only until
// all sources are ready, so that a pod of a source that is slow is refused although it runs, if its plugin is not back
// yet. What an entry proves to be the container's stays its own; without one, only the early start excuses.
bool RunsWithWhatItNeeds(const AllocationQuestion& question) {
  if (!question.container_running) return false;
  return (question.rules.trusts_running && !question.sources_ready) ||
         (question.rules.trusts_running_entry && question.held.has_value());
}

// As kubelets decided until 1.27. That there are no healthy devices turns out when some are chosen.
absl::StatusOr<AllocationNeed> UnlookedNeed(const AllocationQuestion& question, int64_t held) {
  if (held == question.requested) return AllocationNeed::kNothing;
  if (question.resource_registered) return AllocationNeed::kDevices;
  return absl::NotFoundError(absl::StrCat("can't allocate unregistered device ", question.holder.resource_name));
}

}  // namespace

absl::StatusOr<AllocationNeed> CheckAllocation(const AllocationQuestion& question,
                                               absl::FunctionRef<bool(std::string_view id)> is_healthy) {
  const HolderKey& holder = question.holder;
  const std::string& resource = holder.resource_name;
  if (question.requested < 0) {
    return absl::InvalidArgumentError(absl::StrCat("container ", GoQuote(holder.container_name), " of pod ",
                                                   GoQuote(holder.pod_uid), " requests ", question.requested, " of ",
                                                   resource));
  }
  const int64_t held = question.held.has_value() ? static_cast<int64_t>(question.held->size()) : 0;
  if (question.held.has_value() && held != question.requested) {
    return absl::FailedPreconditionError(absl::StrCat("pod ", GoQuote(holder.pod_uid), " container ",
                                                      GoQuote(holder.container_name), " changed request for resource ",
                                                      GoQuote(resource), " from ", held, " to ", question.requested));
  }
  if (RunsWithWhatItNeeds(question)) return AllocationNeed::kNothingRunning;
  if (!question.rules.looks_at_held) return UnlookedNeed(question, held);
  if (!question.resource_registered) {
    return absl::NotFoundError(absl::StrCat("cannot allocate unregistered device ", resource));
  }
  if (question.healthy_count == 0) {
    return absl::UnavailableError(
        absl::StrCat("no healthy devices present; cannot allocate unhealthy devices ", resource));
  }
  if (question.held.has_value() && !std::all_of(question.held->begin(), question.held->end(), is_healthy)) {
    return absl::UnavailableError(absl::StrCat(
        "previously allocated devices are no longer healthy; cannot allocate unhealthy devices ", resource));
  }
  // Only now: asking for nothing fails as well while no device is healthy.
  return held == question.requested ? AllocationNeed::kNothing : AllocationNeed::kDevices;
}

}  // namespace kubelet_cm::deviceplugin
