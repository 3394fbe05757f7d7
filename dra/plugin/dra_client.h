// DraClient: the seam between the DRA manager and one instance of a driver.
//
//  - BatchDraClient, NodeDraClient and SingularDraClient: over a unix socket, for each API there was; made by
//  ConnectDriver
//    (connect_driver.h).
//  - Tests: the fake drivers of testing/fakes are served on real sockets.
//
// Every API is in the same terms: claims that are asked about, and what the driver answers about each. Every call has a
// time limit, and blocks until it is answered, the limit is over (kDeadlineExceeded) or the client is disconnected
// (kCancelled). Errors have the code and the message that the driver sent; claim_results.h words them as the kubelet
// does.
#ifndef KUBELET_CM_DRA_PLUGIN_DRA_CLIENT_H_
#define KUBELET_CM_DRA_PLUGIN_DRA_CLIENT_H_

#include <string>
#include <vector>

#include "absl/container/btree_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "dra/checkpoint/claim_state.h"
#include "dra/checkpoint/legacy_claim.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::dra {

// Half of the time after which a pod's sync is tried again.
inline constexpr absl::Duration kDraCallTimeout = absl::Seconds(45);

// Marks an error of a call that was not made: kubelets show its message alone, and no RPC's.
inline absl::Status NotSent(absl::Status error) {
  error.SetPayload("kubelet_cm/not-sent", absl::Cord());
  return error;
}
inline bool WasNotSent(const absl::Status& error) { return error.GetPayload("kubelet_cm/not-sent").has_value(); }

// A claim that a driver is asked about.
struct ClaimRef {
  ClaimId id;
  // For the APIs of before 1.31, which ask about each; without any, about one that is empty.
  std::vector<ResourceHandle> handles = {};
  // For v1alpha1, which tells a driver what it had prepared.
  std::vector<std::string> cdi_device_ids = {};
};

struct ClaimAnswer {
  // Of a claim that is prepared. The APIs of before 1.31 know CDI names alone: those are one device without a name.
  std::vector<ClaimDevice> devices = {};
  std::string error = {};  // empty: it went well

  friend bool operator==(const ClaimAnswer&, const ClaimAnswer&) = default;
};

// By claim uid, as the driver gave them: there may be too many and too few.
using ClaimAnswers = absl::btree_map<std::string, ClaimAnswer>;

// Thread-safe. Destroyed when no call is in flight: Disconnect() makes that happen.
class DraClient {
 public:
  using Claims = absl::Span<const ClaimRef>;

  DraClient() = default;
  DraClient(const DraClient&) = delete;
  DraClient& operator=(const DraClient&) = delete;
  virtual ~DraClient() = default;

  // Where an API takes one claim a call, the limit is for all together. There an error that says something of the
  // driver and not of a claim (kUnavailable, kUnimplemented, kDeadlineExceeded, kCancelled) ends the whole.
  virtual absl::StatusOr<ClaimAnswers> Prepare(Claims claims, absl::Duration timeout) = 0;
  virtual absl::StatusOr<ClaimAnswers> Unprepare(Claims claims, absl::Duration timeout) = 0;

  // Blocks until there is a connection if `known` is false, and until there is none if it is true; returns which. Asks
  // for a connection all the while. kCancelled after Disconnect, soon.
  virtual absl::StatusOr<bool> WaitForConnectionChange(bool known) = 0;

  // Every call in flight ends soon, with kCancelled, and later ones fail at once. Does not wait; a second call does
  // nothing.
  virtual void Disconnect() = 0;
};

}  // namespace kubelet_cm::dra

#endif  // KUBELET_CM_DRA_PLUGIN_DRA_CLIENT_H_
