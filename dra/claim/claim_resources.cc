#include "dra/claim/claim_resources.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_use.h"

namespace kubelet_cm::dra {
namespace {

bool NamesRequest(const ClaimDevice& device, const std::string& request) {
  return request.empty() || device.request_names.empty() ||
         std::find(device.request_names.begin(), device.request_names.end(), request) != device.request_names.end();
}

void AddCdiIds(const ClaimEntry& entry, const std::string& request, bool verbatim, std::vector<std::string>& ids) {
  for (const auto& [name, driver] : entry.drivers) {
    for (const ClaimDevice& device : driver.state.devices) {
      if (!(verbatim ? NamesRequest(device, request) : ServesRequest(device, request))) continue;
      ids.insert(ids.end(), device.cdi_device_ids.begin(), device.cdi_device_ids.end());
    }
  }
}

bool ServesAny(const ClaimDevice& device, const std::vector<std::string>& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const std::string& request) { return ServesRequest(device, request); });
}

ContainerClaimInfo InfoOf(const ClaimEntry& entry, const UsedClaim& used) {
  ContainerClaimInfo info{
      .claim_name = entry.id.name, .claim_namespace = entry.id.namespace_name, .class_name = entry.class_name};
  for (const auto& [name, driver] : entry.drivers) {
    for (const ClaimDevice& device : driver.state.devices) {
      if (!ServesAny(device, used.requests)) continue;
      info.devices.push_back({.driver_name = name,
                              .pool_name = device.pool_name,
                              .device_name = device.device_name,
                              .share_id = device.share_id,
                              .cdi_device_ids = {device.cdi_device_ids.begin(), device.cdi_device_ids.end()}});
    }
  }
  return info;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> CdiDevicesOf(const Pod& pod, const Container& container,
                                                      const ClaimStore& claims, const ClaimNameRules& rules) {
  ASSIGN_OR_RETURN(const std::vector<UsedClaim> used, ClaimsUsedBy(pod, container, rules));
  std::vector<std::string> ids;
  for (const UsedClaim& claim : used) {
    const ClaimEntry* const entry = claims.Find(pod.namespace_name, claim.object_name);
    if (entry == nullptr) {
      return absl::InternalError(absl::StrCat("internal error: unable to get claim info for ResourceClaim ",
                                              claim.object_name, " in namespace ", pod.namespace_name));
    }
    for (const std::string& request : claim.requests) AddCdiIds(*entry, request, rules.verbatim_requests, ids);
  }
  return ids;
}

absl::StatusOr<std::vector<ContainerClaimInfo>> ClaimInfosOf(const Pod& pod, const Container& container,
                                                             const ClaimStore& claims, const ClaimNameRules& rules) {
  ASSIGN_OR_RETURN(const std::vector<UsedClaim> used, ClaimsUsedBy(pod, container, rules));
  std::vector<ContainerClaimInfo> infos;
  for (const UsedClaim& claim : used) {
    const ClaimEntry* const entry = claims.Find(pod.namespace_name, claim.object_name);
    if (entry != nullptr) {
      infos.push_back(InfoOf(*entry, claim));
    } else if (claim.extended_resources) {
      return absl::NotFoundError(
          absl::StrCat("unable to get claim info for claim ", claim.object_name, " in namespace ", pod.namespace_name));
    } else {
      return absl::NotFoundError(absl::StrCat("unable to get information for ResourceClaim ", claim.object_name));
    }
  }
  return infos;
}

}  // namespace kubelet_cm::dra
