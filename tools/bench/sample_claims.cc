#include "tools/bench/sample_claims.h"

#include <utility>
#include <vector>

#include "absl/strings/str_format.h"

namespace kubelet_cm::dra {
namespace {

StringList Strings(std::vector<std::string> strings) {
  StringList list;
  list.Set(std::move(strings));
  return list;
}

}  // namespace

std::string SamplePodUid(size_t number) { return absl::StrFormat("0e984725-c51c-4bf4-9960-%012d", number); }

ClaimState SampleClaim(size_t number) {
  ClaimState claim;
  claim.claim_uid = absl::StrFormat("6f9619ff-8b86-d011-b42d-%012d", number);
  claim.claim_name = absl::StrFormat("inference-%06d-gpu", number);
  claim.claim_namespace = kSampleNamespace;
  claim.pod_uids.emplace({SamplePodUid(number)});
  ClaimDevice device;
  device.pool_name = "node-17";
  device.device_name = absl::StrFormat("gpu-%d", number % 8);
  device.request_names = Strings({"gpu"});
  device.cdi_device_ids = Strings({absl::StrFormat("k8s.gpu.example.com/claim=%06d-gpu-%d", number, number % 8)});
  DriverState driver;
  driver.devices.Set({std::move(device)});
  claim.driver_state.emplace({std::pair<const std::string, DriverState>("gpu.example.com", std::move(driver))});
  return claim;
}

ClaimList SampleClaims(size_t count) {
  std::vector<ClaimState> claims;
  for (size_t i = 0; i < count; ++i) claims.push_back(SampleClaim(i));
  ClaimList list;
  list.Set(std::move(claims));
  return list;
}

}  // namespace kubelet_cm::dra
