// Prepared claims for measurements, of one device each, all different.
#ifndef KUBELET_CM_TOOLS_BENCH_SAMPLE_CLAIMS_H_
#define KUBELET_CM_TOOLS_BENCH_SAMPLE_CLAIMS_H_

#include <cstddef>
#include <string>

#include "dra/checkpoint/claim_state.h"

namespace kubelet_cm::dra {

inline constexpr char kSampleNamespace[] = "workloads";

// The uid of the one pod that uses the claim of that number.
std::string SamplePodUid(size_t number);
ClaimState SampleClaim(size_t number);
// The first `count`.
ClaimList SampleClaims(size_t count);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_TOOLS_BENCH_SAMPLE_CLAIMS_H_
