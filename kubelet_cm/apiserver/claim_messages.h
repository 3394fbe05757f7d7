// What an API server says of ResourceClaims in lists and watches. A claim that cannot be used does not spoil the
// others.
//
// Pure functions.
#ifndef KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_MESSAGES_H_
#define KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_MESSAGES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dra/claim/claim_decoder.h"
#include "dra/claim/claim_object.h"

namespace kubelet_cm::apiserver {

// One page of a list.
struct ClaimPage {
  std::vector<dra::ClaimObject> claims = {};
  std::string resource_version = {};
  std::string next = {};          // what to ask for the next page with; empty: the last
  size_t unusable = 0;            // claims that are left out
  absl::Status first_error = {};  // of one of these
};

absl::StatusOr<ClaimPage> ParseClaimPage(std::string_view json, dra::ClaimApi api);

// One event of a watch.
struct ClaimEvent {
  enum class Kind {
    kPut,       // the claim is new or changed
    kGone,      // it is deleted; or it cannot be used, which `error` says
    kBookmark,  // nothing happened up to the version
    kIgnored,   // of a kind that is not known
  };
  Kind kind = Kind::kIgnored;
  dra::ClaimObject claim = {};
  std::string resource_version = {};
  absl::Status error = {};
};

// An error: what the server says went wrong with the watch (ApiError), or that this is no event.
absl::StatusOr<ClaimEvent> ParseClaimEvent(std::string_view line, dra::ClaimApi api);

}  // namespace kubelet_cm::apiserver

#endif  // KUBELET_CM_KUBELET_CM_APISERVER_CLAIM_MESSAGES_H_
