#include "dra/claim/claim_use.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_validation.h"

namespace kubelet_cm::dra {
namespace {

constexpr std::string_view kDeviceClassPrefix = "deviceclass.resource.kubernetes.io/";
constexpr size_t kMaxNamePart = 63;

std::string_view BaseOf(std::string_view request) { return request.substr(0, request.find('/')); }

bool IsAlphanumeric(char c) { return absl::ascii_isalnum(c); }

bool IsNamePart(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNamePart && IsAlphanumeric(name.front()) && IsAlphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return IsAlphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

UsedClaim& Entry(std::vector<UsedClaim>& used, const std::string& object_name) {
  const auto found =
      std::find_if(used.begin(), used.end(), [&](const UsedClaim& claim) { return claim.object_name == object_name; });
  return found == used.end() ? used.emplace_back(UsedClaim{.object_name = object_name, .requests = {}}) : *found;
}

void AddExtendedResources(const ExtendedResourceClaim& claim, const Container& container,
                          std::vector<UsedClaim>& used) {
  UsedClaim special{.object_name = claim.object_name, .extended_resources = true, .requests = {}};
  for (const auto& [resource, quantity] : container.limits) {
    if (quantity == 0 || !MayBeExtendedResource(resource)) continue;
    for (const ExtendedResourceClaim::Mapping& mapping : claim.mappings) {
      if (mapping.container_name != container.name || mapping.resource_name != resource) continue;
      special.requests.push_back(mapping.request_name);
    }
  }
  if (!special.requests.empty()) used.push_back(std::move(special));
}

}  // namespace

absl::StatusOr<std::vector<UsedClaim>> ClaimsUsedBy(const Pod& pod, const Container& container,
                                                    const ClaimNameRules& rules) {
  std::vector<UsedClaim> used;
  for (const PodClaim& claim : pod.claims) {
    for (const ContainerClaim& wanted : container.claims) {
      if (wanted.name != claim.name) continue;
      ASSIGN_OR_RETURN(const std::optional<PodClaimName> name, NameOfClaim(pod, claim, rules));
      if (name.has_value()) Entry(used, name->object_name).requests.push_back(wanted.request);
    }
  }
  if (rules.extended_resources && pod.extended_resource_claim.has_value()) {
    AddExtendedResources(*pod.extended_resource_claim, container, used);
  }
  return used;
}

bool ServesRequest(const ClaimDevice& device, std::string_view request) {
  if (request.empty() || device.request_names.empty()) return true;
  return std::any_of(device.request_names.begin(), device.request_names.end(), [&](const std::string& served) {
    return served == request || BaseOf(served) == request || served == BaseOf(request);
  });
}

bool MayBeExtendedResource(std::string_view resource) {
  if (resource.starts_with(kDeviceClassPrefix)) return true;
  const size_t slash = resource.find('/');
  if (slash == std::string_view::npos || resource.find("kubernetes.io/") != std::string_view::npos) return false;
  if (resource.starts_with("requests.")) return false;
  return IsDnsSubdomain("requests." + std::string(resource.substr(0, slash))) && IsNamePart(resource.substr(slash + 1));
}

}  // namespace kubelet_cm::dra
