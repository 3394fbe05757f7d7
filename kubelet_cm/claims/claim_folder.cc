#include "kubelet_cm/claims/claim_folder.h"

#include <utility>

#include "absl/memory/memory.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

absl::StatusOr<std::vector<dra::ClaimObject>> ClaimsOf(const ManifestFile& file) {
  RETURN_IF_ERROR(file.text.status());
  return ParseClaimManifest(*file.text);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ClaimFolder>> ClaimFolder::New(ManifestFolder::Dependencies dependencies,
                                                              ManifestFolder::Options options) {
  auto claims = absl::WrapUnique(new ClaimFolder(dependencies, options.folder));
  ASSIGN_OR_RETURN(claims->folder_, ManifestFolder::New(dependencies, std::move(options), *claims));
  claims->looked_.Wait();
  return claims;
}

ClaimFolder::ClaimFolder(const ManifestFolder::Dependencies& dependencies, std::string path)
    : log_(dependencies.log), path_(std::move(path)), looked_(dependencies.threads, "claims read") {}

void ClaimFolder::OnFiles(ManifestChanges changes) {
  for (const ManifestFile& file : changes.changed) {
    const absl::Status status = Set(file.name, ClaimsOf(file));
    if (!status.ok()) log_.Error(status, "Could not use a manifest of claims", {{"file", file.name}});
  }
  MutexLock lock(&mu_);
  for (const std::string& name : changes.gone) files_.Remove(name);
  read_ = true;
}

// Whoever waits for the first look is not kept waiting by a folder that nobody can read.
void ClaimFolder::OnLooked(const absl::Status&) { looked_.Notify(); }

absl::Status ClaimFolder::Set(const std::string& file, absl::StatusOr<std::vector<dra::ClaimObject>> claims) {
  MutexLock lock(&mu_);
  return files_.Set(file, std::move(claims));
}

absl::StatusOr<dra::ClaimObject> ClaimFolder::Get(const std::string& namespace_name, const std::string& name) {
  MutexLock lock(&mu_);
  if (!read_) {
    return absl::UnavailableError(absl::StrCat("the folder of claims could not be read so far: ", path_));
  }
  return files_.Get(namespace_name, name);
}

std::vector<ListedClaim> ClaimFolder::List() const {
  MutexLock lock(&mu_);
  return files_.List();
}

std::vector<ManifestProblem> ClaimFolder::Problems() const {
  MutexLock lock(&mu_);
  return files_.Problems();
}

}  // namespace kubelet_cm
