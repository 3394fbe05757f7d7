// Claims, devices and answers for tests.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_SAMPLES_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_SAMPLES_H_

#include <string>
#include <utility>
#include <vector>

#include "dra/claim/allocated_claim.h"

namespace kubelet_cm::dra {

inline ClaimId SampleId(const std::string& name) { return {"ns", name, "uid-" + name}; }

// A claim of these drivers, none of which wants to skip anything.
inline AllocatedClaim SampleClaim(const std::string& name, const std::vector<std::string>& drivers = {"gpu"}) {
  AllocatedClaim claim{.id = SampleId(name)};
  for (const std::string& driver : drivers) claim.drivers[driver];
  return claim;
}

// With one CDI id, "vendor.com/class=" and the device's name.
inline ClaimDevice SampleDevice(const std::string& name, std::vector<std::string> requests = {}) {
  ClaimDevice device{
      .pool_name = "pool", .device_name = name, .share_id = {}, .request_names = {}, .cdi_device_ids = {}};
  if (!requests.empty()) device.request_names.Set(std::move(requests));
  device.cdi_device_ids.Set({"vendor.com/class=" + name});
  return device;
}

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_SAMPLES_H_
