#include "dra/claim/claim_names.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::dra {
namespace {

bool IsUsed(const Pod& pod, const PodClaim& claim, const ClaimNameRules& rules) {
  return std::any_of(pod.containers.begin(), pod.containers.end(), [&](const Container& container) {
    return std::any_of(container.claims.begin(), container.claims.end(),
                       [&](const ContainerClaim& used) { return rules.any_use_is_of_all || used.name == claim.name; });
  });
}

}  // namespace

absl::StatusOr<std::optional<PodClaimName>> NameOfClaim(const Pod& pod, const PodClaim& claim,
                                                        const ClaimNameRules& rules) {
  const std::string pod_name = absl::StrCat("pod \"", pod.namespace_name, "/", pod.name, "\"");
  if (!claim.from_template) {
    if (claim.object_name.has_value()) return PodClaimName{claim.name, *claim.object_name, false};
    return absl::InvalidArgumentError(
        absl::StrCat(pod_name, ", spec.resourceClaim ", GoQuote(claim.name), ": none of the supported fields are set"));
  }
  if (rules.from_template_name) return PodClaimName{claim.name, absl::StrCat(pod.name, "-", claim.name), false};
  if (claim.object_name.has_value()) return PodClaimName{claim.name, *claim.object_name, true};
  if (claim.not_needed) return std::nullopt;
  return absl::UnavailableError(absl::StrCat(pod_name, ": ResourceClaim not created yet"));
}

absl::Status AddNamesOfClaims(const Pod& pod, const ClaimNameRules& rules, std::vector<PodClaimName>& names) {
  for (const PodClaim& claim : pod.claims) {
    if (rules.only_used && !IsUsed(pod, claim, rules)) continue;
    ASSIGN_OR_RETURN(std::optional<PodClaimName> name, NameOfClaim(pod, claim, rules));
    if (name.has_value()) names.push_back(*std::move(name));
  }
  if (rules.extended_resources && pod.extended_resource_claim.has_value()) {
    names.push_back({.entry = "", .object_name = pod.extended_resource_claim->object_name});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<PodClaimName>> NamesOfClaims(const Pod& pod, const ClaimNameRules& rules) {
  std::vector<PodClaimName> names;
  RETURN_IF_ERROR(AddNamesOfClaims(pod, rules, names));
  return names;
}

const PodClaim* FindPodClaim(const Pod& pod, std::string_view entry) {
  const auto found =
      std::find_if(pod.claims.begin(), pod.claims.end(), [&](const PodClaim& claim) { return claim.name == entry; });
  return found == pod.claims.end() ? nullptr : &*found;
}

}  // namespace kubelet_cm::dra
