// PodResourcesRules: what the podresources API of a given kubelet has, by its version and its feature gates.
#ifndef KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_RULES_H_
#define KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_RULES_H_

#include "common/features/feature_gates.h"
#include "common/personality/personality.h"

namespace kubelet_cm::podresources {

struct PodResourcesRules {
  // kMissing: gRPC says that there is no such method. kDisabled: the kubelet says that its gate is off.
  enum class Method { kMissing, kDisabled, kServed };

  bool served = true;  // the endpoint as a whole
  bool v1 = true;      // else v1alpha1 alone
  Method get_allocatable = Method::kServed;
  Method get = Method::kServed;
  bool claims = true;        // dynamic_resources
  bool sidecars = true;      // they are listed as app containers are
  bool lists_active = true;  // and not pods that have ended
  bool gets_active = true;   // the same of Get
  bool rate_limited = true;
};

// The newest version of a personality's row counts.
PodResourcesRules RulesOf(const Personality& kubelet, const FeatureGates& features);

}  // namespace kubelet_cm::podresources

#endif  // KUBELET_CM_KUBELET_CM_PODRESOURCES_POD_RESOURCES_RULES_H_
