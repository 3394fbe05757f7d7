#include "kubelet_cm/podresources/pod_resources_rules.h"

#include "common/features/known_gates.h"

namespace kubelet_cm::podresources {
namespace {

using Method = PodResourcesRules::Method;

Method MethodSince(int first_minor, int minor, bool enabled) {
  if (minor < first_minor) return Method::kMissing;
  return enabled ? Method::kServed : Method::kDisabled;
}

}  // namespace

PodResourcesRules RulesOf(const Personality& kubelet, const FeatureGates& features) {
  const int minor = kubelet.last.minor;
  return {.served = minor >= 13 && features.Enabled(kKubeletPodResources),
          .v1 = minor >= 20,
          .get_allocatable = MethodSince(21, minor, features.Enabled(kKubeletPodResourcesGetAllocatable)),
          .get = MethodSince(27, minor, features.Enabled(kKubeletPodResourcesGet)),
          .claims = minor >= 27 && features.Enabled(kKubeletPodResourcesDynamicResources),
          .sidecars = minor >= 30,
          .lists_active = minor >= 34 && features.Enabled(kKubeletPodResourcesListUseActivePods),
          .gets_active = minor >= 36,
          .rate_limited = minor >= 27};
}

}  // namespace kubelet_cm::podresources
