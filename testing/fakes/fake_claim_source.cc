#include "testing/fakes/fake_claim_source.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/check.h"

namespace kubelet_cm::fakes {

absl::StatusOr<dra::ClaimObject> FakeClaimSource::Get(const std::string& namespace_name, const std::string& name) {
  MutexLock lock(&mu_);
  ++gets_;
  if (!failure_.ok()) return failure_;
  const auto found = claims_.find(absl::StrCat(namespace_name, "/", name));
  if (found != claims_.end()) return found->second;
  return absl::NotFoundError(absl::StrCat("resourceclaims.resource.k8s.io \"", name, "\" not found"));
}

void FakeClaimSource::Set(const dra::ClaimObject& claim) {
  MutexLock lock(&mu_);
  claims_[claim.id.Key()] = claim;
}

void FakeClaimSource::Remove(const std::string& namespace_name, const std::string& name) {
  MutexLock lock(&mu_);
  claims_.erase(absl::StrCat(namespace_name, "/", name));
}

void FakeClaimSource::Reserve(const std::string& namespace_name, const std::string& name, const std::string& pod_uid) {
  MutexLock lock(&mu_);
  const auto found = claims_.find(absl::StrCat(namespace_name, "/", name));
  CHECK(found != claims_.end()) << "no ResourceClaim " << name;
  found->second.reserved_for.push_back({.api_group = "", .resource = "pods", .name = "", .uid = pod_uid});
}

void FakeClaimSource::Fail(absl::Status failure) {
  MutexLock lock(&mu_);
  failure_ = std::move(failure);
}

int FakeClaimSource::gets() const {
  MutexLock lock(&mu_);
  return gets_;
}

}  // namespace kubelet_cm::fakes
