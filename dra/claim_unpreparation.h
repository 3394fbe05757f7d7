// ClaimUnpreparation: the claims of a pod that is over, unprepared where no other pod uses them.
//
//   RETURN_IF_ERROR(ClaimUnpreparation(parts, pod_uid).Run());
//
// It goes by what is known of claims here, and by nothing that the pod or the API server says now. A claim stays known,
// and keeps its last pod, until every driver of it has confirmed; so it can be tried again, as often as it takes, also
// after a restart.
//
// One thread uses it. Unpreparations of different pods run at the same time, and of one pod if need be.
#ifndef KUBELET_CM_DRA_CLAIM_UNPREPARATION_H_
#define KUBELET_CM_DRA_CLAIM_UNPREPARATION_H_

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/node/active_pods.h"
#include "dra/claim/claim_plans.h"
#include "dra/dra_parts.h"

namespace kubelet_cm::dra {

class ClaimUnpreparation {
 public:
  // `parts` outlives the object. With `active_pods`, nothing is begun for a pod that is one of them by then: one that
  // was gone may be back, with the same uid. The name is for errors.
  ClaimUnpreparation(const DraParts& parts, std::string pod_uid, const ActivePods* active_pods = nullptr,
                     std::string pod_name = {})
      : parts_(parts), pod_uid_(std::move(pod_uid)), active_pods_(active_pods), pod_name_(std::move(pod_name)) {}

  // OK when the pod references no claim, and that survives a crash. Errors have upstream's texts, without what the
  // kubelet puts before them.
  absl::Status Run();

 private:
  // What is to be done, which is in the state file.
  absl::StatusOr<CallPlan> Begin();
  // OK when the state as it is now is in the file.
  absl::Status Write();
  void LogRemoved(const CallPlan& plan) const;

  const DraParts& parts_;
  const std::string pod_uid_;
  const ActivePods* const active_pods_;
  const std::string pod_name_;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_UNPREPARATION_H_
