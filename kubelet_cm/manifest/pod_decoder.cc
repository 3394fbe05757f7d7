#include "kubelet_cm/manifest/pod_decoder.h"

#include <cstddef>

#include "common/gotext/json_decoder.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

constexpr GoField kPodFields[] = {{"metadata"}, {"spec"}, {"status"}};
constexpr GoStruct kPod{"v1.Pod", kPodFields};
constexpr GoField kMetaFields[] = {{"name"}, {"namespace"}, {"uid"}, {"deletionTimestamp"}};
constexpr GoStruct kMeta{"v1.ObjectMeta", kMetaFields};
constexpr GoField kSpecFields[] = {{"initContainers"}, {"containers"}, {"nodeName"},
                                   {"resourceClaims"}, {"resources"},  {"schedulingGroup"}};
constexpr GoStruct kSpec{"v1.PodSpec", kSpecFields};
constexpr GoField kContainerFields[] = {{"name"}, {"resources"}, {"restartPolicy"}};
constexpr GoStruct kContainer{"v1.Container", kContainerFields};
constexpr GoField kResourcesFields[] = {{"limits"}, {"claims"}};
constexpr GoStruct kResources{"v1.ResourceRequirements", kResourcesFields};
constexpr GoField kContainerClaimFields[] = {{"name"}, {"request"}};
constexpr GoStruct kContainerClaim{"v1.ResourceClaim", kContainerClaimFields};
constexpr GoField kPodClaimFields[] = {{"name"}, {"resourceClaimName"}, {"resourceClaimTemplateName"}, {"source"}};
constexpr GoStruct kPodClaim{"v1.PodResourceClaim", kPodClaimFields};
constexpr GoField kClaimSourceFields[] = {{"resourceClaimName"}, {"resourceClaimTemplateName"}};
constexpr GoStruct kClaimSource{"v1.ClaimSource", kClaimSourceFields};
constexpr GoField kGroupFields[] = {{"podGroupName"}};
constexpr GoStruct kGroup{"v1.PodSchedulingGroup", kGroupFields};
constexpr GoField kStatusFields[] = {{"phase"}, {"resourceClaimStatuses"}, {"extendedResourceClaimStatus"}};
constexpr GoStruct kStatus{"v1.PodStatus", kStatusFields};
constexpr GoField kClaimStatusFields[] = {{"name"}, {"resourceClaimName"}};
constexpr GoStruct kClaimStatus{"v1.PodResourceClaimStatus", kClaimStatusFields};
constexpr GoField kExtendedFields[] = {{"requestMappings"}, {"resourceClaimName"}};
constexpr GoStruct kExtended{"v1.PodExtendedResourceClaimStatus", kExtendedFields};
constexpr GoField kMappingFields[] = {{"containerName"}, {"resourceName"}, {"requestName"}};
constexpr GoStruct kMapping{"v1.ContainerExtendedResourceRequest", kMappingFields};

class PodDecoder {
 public:
  const absl::Status& status() const { return decoder_.status(); }

  void Pod(JsonValue json, PodJson* out) {
    out->offset = json.begin_offset();
    decoder_.Struct(json, kPod, [&](size_t field, JsonValue value) {
      if (field == 0) return Meta(value, out);
      if (field == 1) return Spec(value, out);
      Status(value, out);
    });
  }

 private:
  void Text(JsonValue value, std::string* out) { decoder_.String(value, "string", out); }

  void OptionalText(JsonValue json, std::optional<std::string>* out) {
    decoder_.Pointer(json, out, [this](JsonValue value, std::string* text) { Text(value, text); });
  }

  void Meta(JsonValue json, PodJson* out) {
    decoder_.Struct(json, kMeta, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->name);
      if (field == 1) return Text(value, &out->namespace_name);
      if (field == 2) return decoder_.String(value, "types.UID", &out->uid);
      OptionalText(value, &out->deletion_time);
    });
  }

  void Spec(JsonValue json, PodJson* out) {
    decoder_.Struct(json, kSpec, [&](size_t field, JsonValue value) {
      if (field == 0) return Containers(value, &out->init_containers);
      if (field == 1) return Containers(value, &out->containers);
      if (field == 2) return Text(value, &out->node_name);
      if (field == 3) {
        return decoder_.Slice(value, "[]v1.PodResourceClaim", &out->claims,
                              [this](JsonValue element, PodClaimJson* claim) { PodClaim(element, claim); });
      }
      if (field == 4) return PodResources(value, out);
      decoder_.Struct(value, kGroup, [&](size_t, JsonValue name) { OptionalText(name, &out->scheduling_group); });
    });
  }

  void Containers(JsonValue json, GoSlice<ContainerJson>* out) {
    decoder_.Slice(json, "[]v1.Container", out,
                   [this](JsonValue element, ContainerJson* container) { Container(element, container); });
  }

  void Container(JsonValue json, ContainerJson* out) {
    out->offset = json.begin_offset();
    decoder_.Struct(json, kContainer, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->name);
      if (field == 1) return ContainerResources(value, out);
      decoder_.Pointer(value, &out->restart_policy, [this](JsonValue policy, std::string* text) {
        decoder_.String(policy, "v1.ContainerRestartPolicy", text);
      });
    });
  }

  void ContainerResources(JsonValue json, ContainerJson* out) {
    decoder_.Struct(json, kResources, [&](size_t field, JsonValue value) {
      if (field == 0) return ResourceList(value, &out->limits);
      decoder_.Slice(value, "[]v1.ResourceClaim", &out->claims, [this](JsonValue element, ContainerClaimJson* claim) {
        claim->offset = element.begin_offset();
        decoder_.Struct(element, kContainerClaim, [&](size_t member, JsonValue text) {
          Text(text, member == 0 ? &claim->claim.name : &claim->claim.request);
        });
      });
    });
  }

  void PodResources(JsonValue json, PodJson* out) {
    decoder_.Struct(json, kResources, [&](size_t field, JsonValue value) {
      if (field == 0) ResourceList(value, &out->pod_limits);
    });
  }

  void ResourceList(JsonValue json, ResourceListJson* out) {
    decoder_.Map(json, {"v1.ResourceList", "v1.ResourceName"}, out,
                 [](JsonValue value, QuantityJson* quantity) { quantity->value = value; });
  }

  void PodClaim(JsonValue json, PodClaimJson* out) {
    out->offset = json.begin_offset();
    decoder_.Struct(json, kPodClaim, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->name);
      if (field == 1) return OptionalText(value, &out->claim_name);
      if (field == 2) return OptionalText(value, &out->template_name);
      // Until 1.30.
      decoder_.Struct(value, kClaimSource, [&](size_t member, JsonValue name) {
        OptionalText(name, member == 0 ? &out->claim_name : &out->template_name);
      });
    });
  }

  void Status(JsonValue json, PodJson* out) {
    decoder_.Struct(json, kStatus, [&](size_t field, JsonValue value) {
      if (field == 0) return decoder_.String(value, "v1.PodPhase", &out->phase);
      if (field == 1) {
        return decoder_.Slice(value, "[]v1.PodResourceClaimStatus", &out->claim_statuses,
                              [this](JsonValue element, ClaimStatusJson* status) { ClaimStatus(element, status); });
      }
      decoder_.Pointer(value, &out->extended_claim,
                       [this](JsonValue claim, ExtendedClaimJson* extended) { Extended(claim, extended); });
    });
  }

  void ClaimStatus(JsonValue json, ClaimStatusJson* out) {
    decoder_.Struct(json, kClaimStatus, [&](size_t field, JsonValue value) {
      if (field == 0) return Text(value, &out->name);
      OptionalText(value, &out->claim_name);
    });
  }

  void Extended(JsonValue json, ExtendedClaimJson* out) {
    using Mapping = ExtendedResourceClaim::Mapping;
    decoder_.Struct(json, kExtended, [&](size_t field, JsonValue value) {
      if (field == 1) return Text(value, &out->claim_name);
      decoder_.Slice(value, "[]v1.ContainerExtendedResourceRequest", &out->mappings,
                     [this](JsonValue element, Mapping* mapping) {
                       decoder_.Struct(element, kMapping, [&](size_t member, JsonValue text) {
                         if (member == 0) return Text(text, &mapping->container_name);
                         Text(text, member == 1 ? &mapping->resource_name : &mapping->request_name);
                       });
                     });
    });
  }

  JsonDecoder decoder_;
};

}  // namespace

absl::StatusOr<PodJson> DecodePod(JsonValue object) {
  PodDecoder decoder;
  PodJson pod;
  decoder.Pod(object, &pod);
  RETURN_IF_ERROR(decoder.status());
  return pod;
}

}  // namespace kubelet_cm
