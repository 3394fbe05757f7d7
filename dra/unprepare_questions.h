// AskBeforeUnprepare: what kubelets asked the pod and the API server before they unprepared the claims of a pod. This
// project asks nobody: it goes by what it knows.
//
// For any thread that holds no lock.
#ifndef KUBELET_CM_DRA_UNPREPARE_QUESTIONS_H_
#define KUBELET_CM_DRA_UNPREPARE_QUESTIONS_H_

#include "absl/status/status.h"
#include "common/node/pod.h"
#include "dra/dra_parts.h"

namespace kubelet_cm::dra {

// An error keeps the pod from being unprepared, as it did there. Takes over the handles that the API server has of
// claims that are about to be unprepared, where the kubelet did.
absl::Status AskBeforeUnprepare(const DraParts& parts, const Pod& pod);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_UNPREPARE_QUESTIONS_H_
