// CallDrivers: the calls of a plan, made.
//
// For any thread that holds no lock and has the plan.
#ifndef KUBELET_CM_DRA_DRIVER_CALLS_H_
#define KUBELET_CM_DRA_DRIVER_CALLS_H_

#include "absl/status/status.h"
#include "dra/claim/claim_plans.h"
#include "dra/dra_parts.h"
#include "dra/plugin/claim_results.h"

namespace kubelet_cm::dra {

// Calls the drivers of the plan at the same time, each once with all of its claims, tells the claim table what came of
// it, and ends the attempt. A driver that fails changes nothing for the others. Returns the first error, by driver.
//
// Where the intent is not written first, the state is written after each driver, and a claim that none has prepared is
// forgotten. Kubelets called one driver after the other until one failed (DraRules::stops_at_failure); what the others
// are not asked has failed, too.
absl::Status CallDrivers(const DraParts& parts, DraCall call, const CallPlan& plan);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRIVER_CALLS_H_
