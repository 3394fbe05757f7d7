// Any bytes: what is accepted is within bounds, and can go through everything that is done with a claim.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/status/check.h"
#include "dra/claim/claim_check.h"
#include "dra/claim/claim_parser.h"
#include "dra/claim/claim_table.h"
#include "dra/claim/claim_validation.h"

namespace kubelet_cm::dra {
namespace {

void Parse(std::string_view bytes) {
  const auto claims = ParseClaims(bytes);
  const auto single = ParseClaim(bytes);
  if (single.ok()) CHECK(claims.ok() && claims->size() == 1 && claims->front() == *single);
  if (!claims.ok()) {
    CHECK(!claims.status().message().empty());
    return;
  }
  ClaimTable table({});
  for (const ClaimObject& claim : *claims) {
    CHECK(ValidateClaim(claim).ok());
    const auto allocated = AllocatedClaimOf(claim, true);
    if (!allocated.ok()) continue;
    if (const auto plan = table.Reference({*allocated}, "pod"); plan.ok()) {
      table.EndAttempt(plan->attempt, absl::AbortedError("over"));
    }
  }
  const CallPlan plan = table.BeginUnprepare("pod");
  for (const auto& [driver, calls] : plan.calls) {
    for (const PlannedCall& call : calls) CHECK(table.FinishUnprepare(call).ok());
  }
  CHECK(table.claims().size() == 0);
}

}  // namespace
}  // namespace kubelet_cm::dra

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kubelet_cm::dra::Parse(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
