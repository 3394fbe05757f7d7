#include "kubelet_cm/admission/pod_admission.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "common/node/topology_merge.h"
#include "kubelet_cm/pods/pod_record.h"

namespace kubelet_cm {
namespace {

std::vector<double> AdmissionBuckets() {
  std::vector<double> bounds;
  for (double bound = 0.05; bounds.size() < 15; bound *= 2) bounds.push_back(bound);
  return bounds;
}

Refusal Unexpected(const absl::Status& error) {
  return {.reason = "UnexpectedAdmissionError",
          .message = absl::StrCat("Allocate failed due to ", error.message(), ", which is unexpected")};
}

Refusal NoAffinity() {
  return {.reason = "TopologyAffinityError", .message = "Resources cannot be allocated with Topology locality"};
}

}  // namespace

PodAdmission::PodAdmission(const Dependencies& dependencies, Options options)
    : devices_(dependencies.devices),
      clock_(dependencies.clock),
      log_(dependencies.log),
      options_(std::move(options)),
      requests_(
          dependencies.metrics
              .AddCounter({.name = "kubelet_topology_manager_admission_requests_total",
                           .help = "[ALPHA] The number of admission requests where resources have to be aligned."})
              .With({})),
      errors_(
          dependencies.metrics
              .AddCounter(
                  {.name = "kubelet_topology_manager_admission_errors_total",
                   .help = "[ALPHA] The number of admission request failures where resources could not be aligned."})
              .With({})),
      duration_(dependencies.metrics
                    .AddHistogram({.name = "kubelet_topology_manager_admission_duration_ms",
                                   .help = "[ALPHA] Duration in milliseconds to serve a pod admission request."},
                                  AdmissionBuckets())
                    .With({})) {}

std::optional<Refusal> PodAdmission::Admit(const Pod& pod) {
  const MonotonicTime start = clock_.MonotonicNow();
  requests_.Increment();
  std::optional<Refusal> refusal = Allocate(pod);
  duration_.Observe(absl::ToDoubleMilliseconds(clock_.MonotonicNow() - start));
  if (refusal.has_value()) {
    log_.Info("Pod is refused", {{"pod", PodDisplayName(pod)},
                                 {"podUID", pod.uid},
                                 {"reason", refusal->reason},
                                 {"message", refusal->message}});
  }
  return refusal;
}

std::optional<Refusal> PodAdmission::Allocate(const Pod& pod) {
  absl::StatusOr<std::unique_ptr<deviceplugin::PodAllocation>> allocation = devices_.BeginAllocation(pod);
  if (!allocation.ok()) return Unexpected(allocation.status());
  const bool aligned = options_.policy != TopologyPolicy::kNone;
  std::optional<Affinity> affinity = Affinity();
  if (aligned && options_.scope == TopologyScope::kPod) affinity = Decide(devices_.hints().PodHints(pod), pod);
  for (const Container& container : pod.containers) {
    if (aligned && options_.scope == TopologyScope::kContainer) {
      affinity = Decide(devices_.hints().ContainerHints(pod, container), pod);
    }
    if (!affinity.has_value()) {
      errors_.Increment();
      return NoAffinity();
    }
    const absl::Status allocated = (*allocation)->Allocate(container, *affinity);
    if (!allocated.ok()) return Unexpected(allocated);
  }
  const absl::Status committed = (*allocation)->Commit();
  if (!committed.ok()) return Unexpected(committed);
  return std::nullopt;
}

std::optional<PodAdmission::Affinity> PodAdmission::Decide(const ProviderHints& hints, const Pod& pod) const {
  const MergedHint best = MergeHints(options_.policy, options_.numa_nodes, absl::MakeConstSpan(&hints, 1),
                                     options_.prefer_closest.has_value() ? &*options_.prefer_closest : nullptr);
  log_.V(3).Info("Best TopologyHint",
                 {{"pod", PodDisplayName(pod)}, {"preferred", best.hint.preferred}, {"admit", best.admit}});
  if (!best.admit) return std::nullopt;
  return Affinity(best.hint.nodes);
}

}  // namespace kubelet_cm
