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
#include "dra/plugin/claim_results.h"
#include "dra/plugin/dra_client.h"

namespace kubelet_cm::dra {

// What an unprepare asks the pod for, besides what is known of its claims.
enum class UnprepareAsks {
  kNothing,
  kIfNoneIsKnown,  // 1.37: names of claims, if none is known
  kAlways,         // until 1.36: names; without the pod's status the pod cannot end
};

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
  absl::Duration call_timeout = kDraCallTimeout;  // without end in 1.26
  // Claims that are known are fetched and looked at all the same; since 1.28.
  bool fetches_known_claims = true;
  // What the state file has is prepared, whatever became of it; 1.27 and 1.28.
  bool restored_is_prepared = false;
  // An unprepare asks the API server for the claim's handles, and fails if it is gone; 1.27, whose file lacks them.
  bool fetches_to_unprepare = false;
  // The state is written after each handle of a claim; 1.27.
  bool writes_each_handle = false;
  // A call is about one claim, and has the time limit for itself; until 1.27.
  bool one_claim_a_call = false;
  // The first failure ends a prepare or an unprepare: no other driver is called, and nothing is written. Kubelets.
  bool stops_at_failure = false;
  // Then none of the claims counts as prepared, or as unprepared, whatever drivers have answered; since 1.31.
  bool all_or_none = false;
  // Claims before one that fails stay referenced; since 1.31.
  bool keeps_references = false;
  // All claims are looked at before anything changes, and their drivers looked up, of prepared claims, too; since 1.34.
  bool looks_at_all_first = true;
  // A claim under the name of another one that is still there is refused, not taken for that one; since 1.34.
  bool checks_uids = true;
  // Nothing is done about the claims behind one that is prepared already; 1.34 and 1.35.
  bool stops_at_prepared = false;
  // The metric of operations calls successes errors and errors none; 1.32 to 1.35.
  bool inverts_is_error = false;
  // A driver's answer is added to the devices that it answered with before; 1.31 to 1.35.
  bool appends_devices = false;
  // A claim that is being unprepared is refused to other pods, not given to them and then taken away; since 1.37.
  bool guards_unpreparing = true;
  // Drivers are asked what they have, and that is in ResourceSlices; 1.30. Since then they publish it themselves.
  bool publishes_models = false;
  CallWords words = CallWords::kNewest;  // what is said of drivers that fail
  UnprepareAsks unprepare_asks = UnprepareAsks::kNothing;
  size_t parallel_calls = 16;  // drivers of one pod that are called at the same time

  // What it knows, if its feature gate is on.
  bool optional_node_operations = true;  // DRAOptionalNodeOperations; since 1.37
  bool pod_group_claims = true;          // DRAWorkloadResourceClaims; since 1.36
  bool health_messages = true;           // ResourceHealthStatusMessage; since 1.36
  // Before, nobody read what a claim says of node operations to skip.
  bool ignores_skipping = false;
};

DraRules RulesOf(const Personality& kubelet);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_DRA_RULES_H_
