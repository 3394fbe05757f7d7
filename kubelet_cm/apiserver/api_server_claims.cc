#include "kubelet_cm/apiserver/api_server_claims.h"

#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_parser.h"
#include "kubelet_cm/apiserver/url_text.h"

namespace kubelet_cm::apiserver {

absl::StatusOr<dra::ClaimObject> ApiServerClaims::Ask(const std::string& namespace_name, const std::string& name) {
  const CallLimits limits{.deadline = api_.server().clock().MonotonicNow() + kClaimTimeout,
                          .max_bytes = dra::kMaxClaimText};
  ASSIGN_OR_RETURN(
      const ResourceApi::Answer answer,
      api_.Get(absl::StrCat("namespaces/", UrlEscape(namespace_name), "/resourceclaims/", UrlEscape(name)), limits));
  ASSIGN_OR_RETURN(dra::ClaimObject claim, dra::ParseClaim(answer.body));
  if (claim.id.namespace_name != namespace_name || claim.id.name != name) {
    return absl::InternalError(
        absl::StrCat("the API server was asked for ResourceClaim ", GoQuote(name), " and gave another one"));
  }
  return claim;
}

absl::StatusOr<dra::ClaimObject> ApiServerClaims::Get(const std::string& namespace_name, const std::string& name) {
  absl::StatusOr<dra::ClaimObject> claim = Ask(namespace_name, name);
  const bool unreachable = absl::IsUnavailable(claim.status()) || absl::IsDeadlineExceeded(claim.status());
  if (!unreachable || watch_ == nullptr) return claim;
  std::optional<dra::ClaimObject> heard = watch_->Find(absl::StrCat(namespace_name, "/", name));
  if (!heard.has_value()) return claim;
  log_.Warning("API server cannot be reached, taking the ResourceClaim as last heard of",
               {{"claim", heard->id.Key()}, {"err", claim.status()}});
  return *std::move(heard);
}

}  // namespace kubelet_cm::apiserver
