// DraRules: how the DRA manager of a given kubelet goes about claims. All that depends on a version in this folder is
// one of these.
//
// Plain values and a pure function.
#ifndef KUBELET_CM_DRA_DRA_RULES_H_
#define KUBELET_CM_DRA_DRA_RULES_H_

#include <cstddef>
#include <optional>

#include "absl/time/time.h"
#include "common/personality/personality.h"
#include "dra/claim/claim_annotations.h"
#include "dra/claim/claim_names.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

// As it stands, our own.
struct DraRules {
  ClaimNameRules names = {};
  // Claims are in the state file before a driver hears of them; since 1.31. Before, they got there with each driver's
  // answer, and a crash in between left a prepared claim of which nobody knew.
  bool intent_first = true;
  // What the state file shows to be prepared is not prepared again; ClaimTableOptions. Kubelets call again.
  bool trust_devices = true;
  // Pods that are gone are looked for; since 1.31.
  bool reconciles = true;
  bool cdi_devices = true;                        // containers get CDI devices by name; since 1.27
  std::optional<AnnotationKey> annotations = {};  // and by annotation; until 1.30
  absl::Duration call_timeout = kDraCallTimeout;
  size_t parallel_calls = 16;  // drivers of one pod that are called at the same time

  // By feature gates.
  bool optional_node_operations = false;  // DRAOptionalNodeOperations
  bool pod_group_claims = false;          // DRAWorkloadResourceClaims
  bool health_messages = true;            // ResourceHealthStatusMessage
};

DraRules RulesOf(const Personality& kubelet);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_RULES_H_
