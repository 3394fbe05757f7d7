#include "dra/checkpoint/dra_conversion.h"

#include <map>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::dra {
namespace {

// "claim ns/name: it", the start of every sentence.
template <typename Claim>
std::string Of(const Claim& claim) {
  return absl::StrCat("claim ", claim.claim_namespace, "/", claim.claim_name, ": ");
}

std::string Count(size_t count, const char* thing) { return absl::StrCat(count, " ", thing, count == 1 ? "" : "s"); }

ClaimDevice NamelessDevice(const StringList& cdi_device_ids) {
  ClaimDevice device;
  device.cdi_device_ids = cdi_device_ids;
  return device;
}

ClaimState FromLegacyClaim(const LegacyClaim& old) {
  ClaimState claim{.claim_uid = old.claim_uid,
                   .claim_name = old.claim_name,
                   .claim_namespace = old.claim_namespace,
                   .pod_uids = old.pod_uids,
                   .driver_state = std::map<std::string, DriverState>()};
  auto& drivers = *claim.driver_state;
  for (const ResourceHandle& handle : old.resource_handles) {
    drivers[handle.driver_name.empty() ? old.driver_name : handle.driver_name];
  }
  if (old.cdi_devices.has_value()) {
    for (const auto& [driver, ids] : *old.cdi_devices) {
      drivers[driver].devices.Set(ids.empty() ? std::vector<ClaimDevice>() : std::vector{NamelessDevice(ids)});
    }
  }
  if (drivers.empty() && !old.driver_name.empty()) drivers[old.driver_name];
  return claim;
}

void AddLegacyLosses(const LegacyClaim& old, std::vector<std::string>& losses) {
  if (!old.class_name.empty()) {
    losses.push_back(absl::StrCat(Of(old), "its class ", old.class_name, " has no place since 1.31"));
  }
  size_t with_data = 0;
  for (const ResourceHandle& handle : old.resource_handles) {
    with_data += !handle.data.empty() || handle.structured_data.has_value();
  }
  if (with_data > 0) {
    losses.push_back(absl::StrCat(Of(old), "the data of ", Count(with_data, "resource handle"),
                                  ", which drivers of before 1.31 want back when they unprepare the claim"));
  }
  const bool named = old.cdi_devices.has_value() && !old.cdi_devices->empty();
  if (named) {
    losses.push_back(absl::StrCat(Of(old), "the pools, names and requests of its devices were not known before 1.31; ",
                                  "each driver's CDI names become one device without a name"));
  }
}

struct DeviceLosses {
  size_t named = 0;
  size_t shared = 0;
  size_t for_requests = 0;
};

DeviceLosses LossesIn(const ClaimState& claim) {
  DeviceLosses losses;
  if (!claim.driver_state.has_value()) return losses;
  for (const auto& [name, driver] : *claim.driver_state) {
    for (const ClaimDevice& device : driver.devices) {
      losses.named += !device.pool_name.empty() || !device.device_name.empty();
      losses.shared += device.share_id.has_value();
      losses.for_requests += !device.request_names.empty();
    }
  }
  return losses;
}

std::string DriversThatSkip(const ClaimState& claim) {
  std::string drivers;
  if (!claim.driver_state.has_value()) return drivers;
  for (const auto& [name, driver] : *claim.driver_state) {
    if (!driver.skip_node_operations.empty()) absl::StrAppend(&drivers, drivers.empty() ? "" : ", ", name);
  }
  return drivers;
}

void AddNewLosses(const ClaimState& claim, DraFormat format, std::vector<std::string>& losses) {
  const DeviceLosses devices = LossesIn(claim);
  if (devices.shared > 0 && format < DraFormat::k135) {
    losses.push_back(
        absl::StrCat(Of(claim), "the share ids of ", Count(devices.shared, "device"), ", known since 1.35"));
  }
  const std::string skipping = DriversThatSkip(claim);
  if (!skipping.empty() && format < DraFormat::k137) {
    losses.push_back(absl::StrCat(Of(claim), "the node operations to skip, known since 1.37, for ", skipping));
  }
  if (format >= DraFormat::k131) return;
  if (devices.named > 0) {
    losses.push_back(absl::StrCat(Of(claim), "the pools and names of ", Count(devices.named, "device"),
                                  "; before 1.31 there are only CDI names by driver"));
  }
  if (devices.for_requests > 0) {
    losses.push_back(absl::StrCat(Of(claim), "which request ", Count(devices.for_requests, "device"),
                                  " serve; before 1.31 a container gets all devices of the claim"));
  }
}

LegacyClaim ToLegacyClaim(const ClaimState& claim, DraFormat format) {
  LegacyClaim old;
  old.claim_uid = claim.claim_uid;
  old.claim_name = claim.claim_name;
  old.claim_namespace = claim.claim_namespace;
  old.pod_uids = claim.pod_uids;
  old.cdi_devices.emplace();
  if (!claim.driver_state.has_value()) return old;
  std::vector<ResourceHandle> handles;
  for (const auto& [name, driver] : *claim.driver_state) {
    if (old.driver_name.empty()) old.driver_name = name;
    handles.push_back({.driver_name = name, .data = "", .structured_data = {}});
    if (driver.devices.empty()) continue;
    std::vector<std::string> ids;
    for (const ClaimDevice& device : driver.devices) {
      ids.insert(ids.end(), device.cdi_device_ids.begin(), device.cdi_device_ids.end());
    }
    (*old.cdi_devices)[name].Set(std::move(ids));
  }
  if (format != DraFormat::k127) old.resource_handles.Set(std::move(handles));
  return old;
}

}  // namespace

ConvertedClaims FromLegacyClaims(const LegacyClaimList& claims) {
  ConvertedClaims converted;
  if (claims.is_nil()) return converted;
  std::vector<ClaimState> list;
  list.reserve(claims.size());
  for (const LegacyClaim& old : claims) {
    list.push_back(FromLegacyClaim(old));
    AddLegacyLosses(old, converted.losses);
  }
  converted.claims.Set(std::move(list));
  return converted;
}

ConvertedLegacyClaims ToLegacyClaims(const ClaimList& claims, DraFormat format) {
  CHECK(format < DraFormat::k131) << "claims of before 1.31 asked for as " << FormatName(format);
  ConvertedLegacyClaims converted;
  if (claims.is_nil()) return converted;
  std::vector<LegacyClaim> list;
  list.reserve(claims.size());
  for (const ClaimState& claim : claims) {
    list.push_back(ToLegacyClaim(claim, format));
    AddNewLosses(claim, format, converted.losses);
  }
  converted.claims.Set(std::move(list));
  return converted;
}

std::vector<std::string> LostInFormat(const ClaimList& claims, DraFormat format) {
  std::vector<std::string> losses;
  for (const ClaimState& claim : claims) AddNewLosses(claim, format, losses);
  return losses;
}

std::vector<std::string> LostInFormat(const LegacyClaimList& claims, DraFormat format) {
  std::vector<std::string> losses;
  for (const LegacyClaim& claim : claims) {
    size_t structured = 0;
    for (const ResourceHandle& handle : claim.resource_handles) structured += handle.structured_data.has_value();
    if (format == DraFormat::k127 && !claim.resource_handles.empty()) {
      losses.push_back(
          absl::StrCat(Of(claim), Count(claim.resource_handles.size(), "resource handle"), ", known since 1.28"));
    } else if (format == DraFormat::k128 && structured > 0) {
      losses.push_back(
          absl::StrCat(Of(claim), "the structured data of ", Count(structured, "resource handle"), ", known in 1.30"));
    }
  }
  return losses;
}

}  // namespace kubelet_cm::dra
