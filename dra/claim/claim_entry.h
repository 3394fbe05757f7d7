// ClaimEntry: one claim of the claim table. Which pods reference it, and how far each of its drivers is.
//
//   kReferenced -> kPreparing -> kPrepared -> kUnpreparing -> gone, when that is so for every driver
//       ^---- failed ---'            ^             |  '-> kUnprepared, while another driver's has not succeeded
//                                    '- kUnprepareFailed (is called again)
//
// Plain values and pure functions. Only ClaimTable changes an entry.
#ifndef KUBELET_CM_DRA_CLAIM_CLAIM_ENTRY_H_
#define KUBELET_CM_DRA_CLAIM_CLAIM_ENTRY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/container/btree_set.h"
#include "absl/status/status.h"
#include "dra/checkpoint/legacy_claim.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// One caller's round of calls to drivers; larger is later, 0 is none.
using AttemptId = uint64_t;

// The pod without a uid, which is never active, references what nobody else does: so that it is unprepared. It is not
// written.
inline constexpr std::string_view kNobody = "";

enum class DriverPhase {
  kReferenced,       // whether it is prepared is not known: never called, the call failed, or there was a restart
  kPreparing,        // a call is on its way
  kPrepared,         // also if the driver wants no call
  kUnpreparing,      // a call is on its way
  kUnprepareFailed,  // the last call failed
  kUnprepared,       // also if the driver wants no call
};

struct ClaimDriver {
  // As in the state file, but for an entry that is being unprepared, of which the file shows no devices. Devices stay
  // until a newer answer replaces them.
  DriverState state = {};
  DriverPhase phase = DriverPhase::kReferenced;
  AttemptId attempt = 0;   // the last that called the driver; 0: none since the start
  absl::Status failure{};  // of that call
};

struct ClaimEntry {
  ClaimId id;
  // Uids. A claim without any in the state file has kNobody.
  absl::btree_set<std::string> pods = {};
  absl::btree_map<std::string, ClaimDriver> drivers = {};
  bool unpreparing = false;  // from the first unprepare on, whether it fails or not
  bool in_use = false;       // every driver has been prepared

  // Until 1.30.
  std::string class_name = {};
  std::string driver_name = {};
  std::vector<ResourceHandle> handles = {};
};

// Whether a list of node operations to skip has `operation`, or all of them.
bool Skips(const StringList& skip_node_operations, std::string_view operation);

bool AllPrepared(const ClaimEntry& entry);
bool AllUnprepared(const ClaimEntry& entry);

// What the driver wants to be told of the claim, until 1.30: its handles, and those of no driver for the claim's own.
std::vector<ResourceHandle> HandlesOf(const ClaimEntry& entry, std::string_view driver);
// The CDI ids of all its devices, in their order.
std::vector<std::string> CdiIdsOf(const ClaimDriver& driver);

// The driver's devices, and then those that it has answered with now.
std::vector<ClaimDevice> WithThoseOfBefore(const ClaimDriver& driver, std::vector<ClaimDevice> answered);

// What the state file holds. With `hide_devices` there are none.
ClaimState StateOf(const ClaimEntry& entry, bool hide_devices);
// The same in the shape of 1.27 to 1.30.
LegacyClaim LegacyStateOf(const ClaimEntry& entry);

// Back. With `trust_devices` a driver whose devices are known (none, but not null, is known too) is prepared, and one
// that wants no call.
ClaimEntry EntryOf(const ClaimState& state, bool trust_devices);
ClaimEntry EntryOf(const LegacyClaim& state, bool trust_devices);

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_CLAIM_CLAIM_ENTRY_H_
