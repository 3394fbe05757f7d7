// Any bytes: what is accepted are claims that an API server could hold, and they can be looked up by name.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/status/check.h"
#include "dra/claim/claim_validation.h"
#include "kubelet_cm/claims/claim_files.h"

namespace kubelet_cm {
namespace {

void Parse(std::string_view bytes) {
  const auto claims = ParseClaimManifest(bytes);
  ClaimFiles files;
  const bool set = files.Set("file", claims).ok();
  if (!set) {
    CHECK(files.List().empty() && files.Problems().size() == 1);
    return;
  }
  for (const dra::ClaimObject& claim : *claims) {
    CHECK(dra::ValidateClaim(claim).ok());
    CHECK(*files.Get(claim.id.namespace_name, claim.id.name) == claim);
  }
}

}  // namespace
}  // namespace kubelet_cm

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kubelet_cm::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
