#include "testing/scenarios/pod_fields.h"

namespace kubelet_cm::scenarios {
namespace {

const char* KindOf(ContainerKind kind) {
  switch (kind) {
    case ContainerKind::kInit:
      return "init";
    case ContainerKind::kSidecar:
      return "sidecar";
    case ContainerKind::kApp:
      return "app";
  }
  return "";
}

}  // namespace

::kubeletcm::v1::AdmitPodRequest FieldsOf(const Pod& pod) {
  ::kubeletcm::v1::AdmitPodRequest request;
  ::kubeletcm::v1::PodFields& fields = *request.mutable_fields();
  fields.set_uid(pod.uid);
  fields.set_namespace_(pod.namespace_name);
  fields.set_name(pod.name);
  for (const Container& container : pod.containers) {
    auto& to = *fields.add_containers();
    to.set_name(container.name);
    to.set_kind(KindOf(container.kind));
    for (const auto& [resource, count] : container.limits) (*to.mutable_limits())[resource] = count;
    for (const ContainerClaim& claim : container.claims) {
      auto& use = *to.add_claims();
      use.set_name(claim.name);
      use.set_request(claim.request);
    }
  }
  for (const PodClaim& claim : pod.claims) {
    auto& to = *fields.add_claims();
    to.set_name(claim.name);
    to.set_resource_claim_name(claim.object_name.value_or(""));
  }
  return request;
}

}  // namespace kubelet_cm::scenarios
