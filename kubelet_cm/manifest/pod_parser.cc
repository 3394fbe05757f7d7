#include "kubelet_cm/manifest/pod_parser.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/gotext/json_compact.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_validation.h"
#include "kubelet_cm/manifest/fingerprint.h"
#include "kubelet_cm/manifest/pod_decoder.h"
#include "kubelet_cm/manifest/quantity.h"

namespace kubelet_cm {
namespace {

constexpr size_t kShownSize = 64;
constexpr size_t kMaxUidSize = 128;
constexpr size_t kMaxResourceNameSize = 317;  // a domain, a slash and a name
constexpr std::string_view kLabelRule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'";

std::string Shown(std::string_view text) {
  return absl::StrCat(GoQuote(text.substr(0, kShownSize)), text.size() > kShownSize ? "..." : "");
}

// Checks a decoded pod and puts it together. Errors name places in its text and fields.
class PodBuilder {
 public:
  PodBuilder(const PodJson& json, const ManifestText& text) : json_(json), text_(text) {}

  absl::StatusOr<Pod> Build() {
    RETURN_IF_ERROR(Identity());
    RETURN_IF_ERROR(Claims());
    RETURN_IF_ERROR(ExtendedClaim());
    RETURN_IF_ERROR(Containers(json_.init_containers, "spec.initContainers", ContainerKind::kInit));
    if (json_.containers.empty()) return Error(json_.offset, "spec.containers", "Required value");
    RETURN_IF_ERROR(Containers(json_.containers, "spec.containers", ContainerKind::kApp));
    RETURN_IF_ERROR(Limits(json_.pod_limits, "spec.resources.limits", &pod_.pod_limits));
    pod_.scheduling_group = json_.scheduling_group.value_or("");
    if (!pod_.scheduling_group.empty() && !dra::IsDnsSubdomain(pod_.scheduling_group)) {
      return Invalid(json_.offset, "spec.schedulingGroup.podGroupName", pod_.scheduling_group,
                     "not a name of an object");
    }
    return std::move(pod_);
  }

 private:
  absl::Status Error(int64_t offset, std::string_view field, std::string_view message) const {
    return text_.ErrorAt(offset, absl::StrCat(std::string(field), ": ", std::string(message)));
  }
  absl::Status Invalid(int64_t offset, std::string_view field, std::string_view value, std::string_view rule) const {
    return Error(offset, field, absl::StrCat("Invalid value: ", Shown(value), ": ", std::string(rule)));
  }
  absl::Status CheckCount(std::string_view field, size_t count, size_t max) const {
    if (count <= max) return absl::OkStatus();
    return Error(json_.offset, field, absl::StrCat("Too many: ", count, ": must have at most ", max, " items"));
  }

  absl::Status Identity() {
    const int64_t place = json_.offset;
    if (json_.name.empty()) return Error(place, "metadata.name", "Required value");
    if (!dra::IsDnsSubdomain(json_.name)) return Invalid(place, "metadata.name", json_.name, "not a name of an object");
    pod_.name = json_.name;
    pod_.namespace_name = json_.namespace_name.empty() ? "default" : json_.namespace_name;
    if (!dra::IsDnsLabel(pod_.namespace_name)) {
      return Invalid(place, "metadata.namespace", pod_.namespace_name, kLabelRule);
    }
    const bool plain = std::all_of(json_.uid.begin(), json_.uid.end(), [](char c) {
      return absl::ascii_isgraph(static_cast<unsigned char>(c)) && c != '/';
    });
    if (!plain || json_.uid.size() > kMaxUidSize) return Invalid(place, "metadata.uid", json_.uid, "not a UID");
    pod_.uid = json_.uid;
    return absl::OkStatus();
  }

  absl::Status Claims() {
    RETURN_IF_ERROR(CheckCount("spec.resourceClaims", json_.claims.size(), kMaxPodClaims));
    RETURN_IF_ERROR(CheckCount("status.resourceClaimStatuses", json_.claim_statuses.size(), kMaxPodClaims));
    absl::flat_hash_map<std::string_view, const ClaimStatusJson*> statuses;
    for (const ClaimStatusJson& status : json_.claim_statuses) statuses.emplace(status.name, &status);
    for (size_t i = 0; i < json_.claims.size(); ++i) {
      const PodClaimJson& claim = json_.claims[i];
      const std::string field = absl::StrCat("spec.resourceClaims[", i, "]");
      RETURN_IF_ERROR(CheckLabel(claim.offset, field + ".name", claim.name));
      if (!claim_names_.insert(claim.name).second) {
        return Error(claim.offset, field + ".name", absl::StrCat("Duplicate value: ", Shown(claim.name)));
      }
      if (claim.claim_name.has_value() && claim.template_name.has_value()) {
        return Invalid(claim.offset, field, claim.name,
                       "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
      }
      RETURN_IF_ERROR(CheckObjectName(claim.offset, field + ".resourceClaimName", claim.claim_name));
      RETURN_IF_ERROR(CheckObjectName(claim.offset, field + ".resourceClaimTemplateName", claim.template_name));
      const auto status = statuses.find(claim.name);
      RETURN_IF_ERROR(AddClaim(claim, status == statuses.end() ? nullptr : status->second));
    }
    return absl::OkStatus();
  }

  absl::Status AddClaim(const PodClaimJson& claim, const ClaimStatusJson* status) {
    PodClaim& added = pod_.claims.emplace_back();
    added.name = claim.name;
    added.from_template = claim.template_name.has_value();
    if (!added.from_template) {
      added.object_name = claim.claim_name;
      return absl::OkStatus();
    }
    if (status == nullptr) return absl::OkStatus();
    added.object_name = status->claim_name;
    added.not_needed = !status->claim_name.has_value();
    return CheckObjectName(json_.offset, "status.resourceClaimStatuses.resourceClaimName", status->claim_name);
  }

  absl::Status ExtendedClaim() {
    if (!json_.extended_claim.has_value()) return absl::OkStatus();
    const ExtendedClaimJson& claim = *json_.extended_claim;
    const std::string field = "status.extendedResourceClaimStatus";
    RETURN_IF_ERROR(CheckCount(field + ".requestMappings", claim.mappings.size(), kMaxClaimMappings));
    RETURN_IF_ERROR(CheckObjectName(json_.offset, field + ".resourceClaimName", claim.claim_name));
    pod_.extended_resource_claim = {.object_name = claim.claim_name,
                                    .mappings = {claim.mappings.begin(), claim.mappings.end()}};
    return absl::OkStatus();
  }

  absl::Status Containers(const GoSlice<ContainerJson>& containers, std::string_view list, ContainerKind kind) {
    RETURN_IF_ERROR(CheckCount(list, containers.size(), kMaxContainers));
    for (size_t i = 0; i < containers.size(); ++i) {
      RETURN_IF_ERROR(AddContainer(containers[i], absl::StrCat(std::string(list), "[", i, "]"), kind));
    }
    return absl::OkStatus();
  }

  absl::Status AddContainer(const ContainerJson& json, const std::string& field, ContainerKind kind) {
    RETURN_IF_ERROR(CheckLabel(json.offset, field + ".name", json.name));
    if (!container_names_.insert(json.name).second) {
      return Error(json.offset, field + ".name", absl::StrCat("Duplicate value: ", Shown(json.name)));
    }
    const bool sidecar = kind == ContainerKind::kInit && json.restart_policy == "Always";
    Container container{.name = json.name, .kind = sidecar ? ContainerKind::kSidecar : kind};
    RETURN_IF_ERROR(Limits(json.limits, field + ".resources.limits", &container.limits));
    RETURN_IF_ERROR(CheckCount(field + ".resources.claims", json.claims.size(), kMaxPodClaims));
    for (size_t i = 0; i < json.claims.size(); ++i) {
      const ContainerClaimJson& claim = json.claims[i];
      if (!claim_names_.contains(claim.claim.name)) {
        return Error(claim.offset, absl::StrCat(field, ".resources.claims[", i, "].name"),
                     absl::StrCat("Not found: ", Shown(claim.claim.name)));
      }
      container.claims.push_back(claim.claim);
    }
    pod_.containers.push_back(std::move(container));
    return absl::OkStatus();
  }

  absl::Status Limits(const ResourceListJson& list, const std::string& field,
                      absl::btree_map<std::string, int64_t>* out) {
    if (!list.has_value()) return absl::OkStatus();
    RETURN_IF_ERROR(CheckCount(field, list->size(), kMaxLimits));
    for (const auto& [name, quantity] : *list) {
      ASSIGN_OR_RETURN((*out)[name], Limit(name, *quantity.value, absl::StrCat(field, "[", Shown(name), "]")));
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> Limit(std::string_view name, JsonValue json, const std::string& field) const {
    const int64_t place = json.begin_offset();
    if (name.empty() || name.size() > kMaxResourceNameSize) return Error(place, field, "not a name of a resource");
    if (json.type() == JsonType::kNull) return 0;  // as in Go
    const std::string_view literal = json.type() == JsonType::kString ? json.text() : json.literal();
    const absl::string_view trimmed = absl::StripAsciiWhitespace({literal.data(), literal.size()});
    const absl::StatusOr<Quantity> quantity = ParseQuantity({trimmed.data(), trimmed.size()});
    if (!quantity.ok()) return Error(place, field, std::string(quantity.status().message()));
    if (quantity->value < 0) return Invalid(place, field, literal, "must be greater than or equal to 0");
    const bool extended =
        name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos;
    if (extended && !quantity->is_whole) return Invalid(place, field, literal, "must be an integer");
    return quantity->value;
  }

  absl::Status CheckLabel(int64_t offset, std::string_view field, std::string_view name) const {
    if (name.empty()) return Error(offset, field, "Required value");
    return dra::IsDnsLabel(name) ? absl::OkStatus() : Invalid(offset, field, name, kLabelRule);
  }

  absl::Status CheckObjectName(int64_t offset, std::string_view field, const std::optional<std::string>& name) const {
    if (!name.has_value() || dra::IsDnsSubdomain(*name)) return absl::OkStatus();
    return Invalid(offset, field, *name, "not a name of an object");
  }

  const PodJson& json_;
  const ManifestText& text_;
  Pod pod_;
  absl::flat_hash_set<std::string> claim_names_;
  absl::flat_hash_set<std::string> container_names_;
};

std::string FingerprintOf(JsonValue object) {
  std::string compact;
  AppendCompactJson(object.literal(), &compact);
  return Fingerprint(compact);
}

}  // namespace

absl::StatusOr<PodManifest> ParsePod(const ManifestObject& object) {
  const ManifestText& text = *object.text;
  const int64_t place = object.value.begin_offset();
  if (object.kind != "Pod") return text.ErrorAt(place, absl::StrCat("kind: ", Shown(object.kind), " is not Pod"));
  if (object.api_version != "v1") {
    return text.ErrorAt(place, absl::StrCat("apiVersion: ", Shown(object.api_version), " is not v1"));
  }
  const absl::StatusOr<PodJson> json = DecodePod(object.value);
  if (!json.ok()) return object.WithPlace(json.status());
  PodManifest manifest{.node_name = json->node_name,
                       .phase = json->phase,
                       .being_deleted = json->deletion_time.has_value(),
                       .fingerprint = FingerprintOf(object.value)};
  ASSIGN_OR_RETURN(manifest.pod, PodBuilder(*json, text).Build());
  return manifest;
}

absl::StatusOr<std::vector<PodManifest>> ParsePods(std::string_view text) {
  ASSIGN_OR_RETURN(const ManifestObjects objects, ManifestObjects::Read(text));
  std::vector<PodManifest> pods;
  for (const ManifestObject& object : objects.all()) {
    ASSIGN_OR_RETURN(PodManifest pod, ParsePod(object));
    pods.push_back(std::move(pod));
  }
  return pods;
}

absl::StatusOr<PodManifest> ParsePod(std::string_view text) {
  ASSIGN_OR_RETURN(std::vector<PodManifest> pods, ParsePods(text));
  if (pods.size() != 1) return absl::InvalidArgumentError(absl::StrCat(pods.size(), " pods, where one is meant"));
  return std::move(pods.front());
}

}  // namespace kubelet_cm
