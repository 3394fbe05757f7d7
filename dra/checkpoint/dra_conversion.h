// From the claims of Kubernetes 1.27 to 1.30 to those of 1.31 on, and back, with what is lost on the way.
//
// A driver's CDI names become one device without a pool or a name, of use to every request of the claim: containers get
// what they would have got. Drivers that are only in a resource handle, or only the claim's own, keep their place,
// because unprepare must be sent to them. The other way each driver gets a handle without data, for the same reason.
//
// Pure functions.
#ifndef KUBELET_CM_DRA_CHECKPOINT_DRA_CONVERSION_H_
#define KUBELET_CM_DRA_CHECKPOINT_DRA_CONVERSION_H_

#include <string>
#include <vector>

#include "common/personality/personality.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/legacy_claim.h"

namespace kubelet_cm::dra {

struct ConvertedClaims {
  ClaimList claims;
  std::vector<std::string> losses;  // in sentences, claim by claim
};
ConvertedClaims FromLegacyClaims(const LegacyClaimList& claims);

struct ConvertedLegacyClaims {
  LegacyClaimList claims;
  std::vector<std::string> losses;
};
ConvertedLegacyClaims ToLegacyClaims(const ClaimList& claims, DraFormat format);

// What a format of 1.31 on cannot hold of these claims.
std::vector<std::string> LostInFormat(const ClaimList& claims, DraFormat format);
// What 1.27 to 1.30 cannot hold of each other's.
std::vector<std::string> LostInFormat(const LegacyClaimList& claims, DraFormat format);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CHECKPOINT_DRA_CONVERSION_H_
