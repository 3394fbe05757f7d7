#include "kubelet_cm/claims/claim_files.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/gotext/quote.h"
#include "common/status/status_macros.h"
#include "dra/claim/claim_decoder.h"
#include "dra/claim/claim_validation.h"
#include "kubelet_cm/manifest/fingerprint.h"
#include "kubelet_cm/manifest/manifest_objects.h"

namespace kubelet_cm {
namespace {

constexpr std::string_view kGroup = "resource.k8s.io/";
constexpr size_t kShownSize = 64;

std::string Shown(std::string_view text) { return GoQuote(text.substr(0, kShownSize)); }

absl::StatusOr<dra::ClaimObject> ParseObject(const ManifestObject& object) {
  if (object.kind != "ResourceClaim") {
    return absl::InvalidArgumentError(absl::StrCat("kind: ", Shown(object.kind), " is not ResourceClaim"));
  }
  const std::string_view version = object.api_version;
  const auto api = version.starts_with(kGroup) ? dra::ClaimApiOf(version.substr(kGroup.size())) : std::nullopt;
  if (!api.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("apiVersion: ", Shown(version), " is no version of resource.k8s.io that has ResourceClaims"));
  }
  ASSIGN_OR_RETURN(dra::ClaimObject claim, dra::DecodeClaimObject(object.value, *api));
  if (claim.id.namespace_name.empty()) claim.id.namespace_name = "default";
  if (claim.id.uid.empty()) claim.id.uid = Fingerprint(claim.id.Key());
  RETURN_IF_ERROR(dra::ValidateClaim(claim));
  return claim;
}

absl::Status InTwoManifests(std::string_view name, std::string_view first, std::string_view second) {
  return absl::FailedPreconditionError(absl::StrCat("resourceclaims.resource.k8s.io ", GoQuote(name), " is in ",
                                                    std::string(first), " and in ", std::string(second)));
}

}  // namespace

absl::StatusOr<std::vector<dra::ClaimObject>> ParseClaimManifest(std::string_view text) {
  ASSIGN_OR_RETURN(const ManifestObjects objects, ManifestObjects::Read(text));
  std::vector<dra::ClaimObject> claims;
  for (const ManifestObject& object : objects.all()) {
    absl::StatusOr<dra::ClaimObject> claim = ParseObject(object);
    if (!claim.ok()) return object.WithPlace(claim.status());
    claims.push_back(*std::move(claim));
  }
  return claims;
}

absl::Status ClaimFiles::Set(const std::string& file, absl::StatusOr<std::vector<dra::ClaimObject>> claims) {
  ClaimsByKey by_key;
  if (claims.ok()) {
    for (dra::ClaimObject& claim : *claims) {
      const std::string key = claim.id.Key();
      const std::string name = claim.id.name;
      if (!by_key.emplace(key, std::move(claim)).second) {
        claims = InTwoManifests(name, file, file);
        break;
      }
    }
  }
  if (!claims.ok()) return files_[file].error = claims.status();
  Forget(file);
  for (const auto& [key, claim] : by_key) files_by_key_[key].insert(file);
  files_[file] = {.error = {}, .claims = std::move(by_key)};
  return absl::OkStatus();
}

void ClaimFiles::Remove(const std::string& file) {
  Forget(file);
  files_.erase(file);
}

void ClaimFiles::Forget(const std::string& file) {
  const auto known = files_.find(file);
  if (known == files_.end()) return;
  for (const auto& [key, claim] : known->second.claims) {
    const auto files = files_by_key_.find(key);
    files->second.erase(file);
    if (files->second.empty()) files_by_key_.erase(files);
  }
}

absl::StatusOr<dra::ClaimObject> ClaimFiles::Get(const std::string& namespace_name, const std::string& name) const {
  const auto found = files_by_key_.find(absl::StrCat(namespace_name, "/", name));
  if (found == files_by_key_.end()) {
    return absl::NotFoundError(absl::StrCat("resourceclaims.resource.k8s.io ", GoQuote(name), " not found"));
  }
  const absl::btree_set<std::string>& in = found->second;
  if (in.size() > 1) return InTwoManifests(name, *in.begin(), *std::next(in.begin()));
  const File& file = files_.at(*in.begin());
  if (file.error.ok()) return file.claims.at(found->first);
  return absl::FailedPreconditionError(absl::StrCat("resourceclaims.resource.k8s.io ", GoQuote(name), " is in ",
                                                    *in.begin(),
                                                    ", which is broken: ", std::string(file.error.message())));
}

std::vector<ListedClaim> ClaimFiles::List() const {
  std::vector<ListedClaim> listed;
  for (const auto& [key, in] : files_by_key_) {
    for (const std::string& name : in) {
      const File& file = files_.at(name);
      if (file.error.ok()) listed.push_back({file.claims.at(key), name});
    }
  }
  return listed;
}

std::vector<ManifestProblem> ClaimFiles::Problems() const {
  std::vector<ManifestProblem> problems;
  for (const auto& [name, file] : files_) {
    if (!file.error.ok()) problems.push_back({name, file.error});
    for (const auto& [key, claim] : file.claims) {
      const absl::btree_set<std::string>& in = files_by_key_.at(key);
      if (file.error.ok() && in.size() > 1) {
        problems.push_back({name, InTwoManifests(claim.id.name, *in.begin(), *std::next(in.begin()))});
      }
    }
  }
  return problems;
}

}  // namespace kubelet_cm
