// Claims as a table, as facts for comparing, and what must hold of them.
//
// Pure functions.
#ifndef KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_TABLES_H_
#define KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_TABLES_H_

#include <vector>

#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/legacy_claim.h"
#include "tools/cmctl/checkpoint/state_file.h"
#include "tools/cmctl/checkpoint/text_table.h"

namespace kubelet_cm::cmctl {

// A row for each device, and one for a driver or a claim without any.
TextTable ClaimTable(const dra::ClaimList& claims, bool wide);

Facts ClaimFacts(const dra::ClaimList& claims, const FactDetail& detail);
// What only the formats before 1.31 hold.
Facts LegacyFacts(const dra::LegacyClaimList& claims, const FactDetail& detail);

// Claims that no kubelet should have written.
std::vector<FileProblem> ClaimInvariants(const dra::ClaimList& claims);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_CHECKPOINT_CLAIM_TABLES_H_
