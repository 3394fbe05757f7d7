#include "kubelet_cm/life/tenure_record.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::life {
namespace {

constexpr size_t kMostBytes = 4096;
// Stands before the identity of the socket for pod resources.
constexpr char kStarting[] = "starting beside ";

// Nothing when there is no socket. Numbers of inodes are given out again, so the time belongs to it.
absl::StatusOr<std::string> IdentityOf(FileSystem& files, const std::string& socket) {
  const absl::StatusOr<FileStat> stat = files.Lstat(socket);
  if (absl::IsNotFound(stat.status())) return "";
  RETURN_IF_ERROR(stat.status());
  return absl::StrCat(stat->inode, " ", absl::ToUnixNanos(stat->modified), "\n");
}

}  // namespace

absl::StatusOr<Tenure> ReadTenure(FileSystem& files, const std::string& folder, const TenureSockets& sockets) {
  const absl::StatusOr<std::string> record = ReadFile(files, JoinPath(folder, kTenureFile), kMostBytes);
  if (absl::IsNotFound(record.status())) return Tenure::kFirst;
  RETURN_IF_ERROR(record.status());
  const std::pair<std::string, std::string> ours = absl::StrSplit(*record, absl::MaxSplits(kStarting, 1));
  ASSIGN_OR_RETURN(const std::string there, IdentityOf(files, sockets.registration));
  if (there.empty() || there == ours.first) return Tenure::kOurs;
  const bool was_starting = record->size() > ours.first.size();
  if (!was_starting) return Tenure::kOthers;
  ASSIGN_OR_RETURN(const std::string beside, IdentityOf(files, sockets.pod_resources));
  return beside == ours.second ? Tenure::kOurs : Tenure::kOthers;
}

absl::Status BeginTenure(FileSystem& files, Random& random, const std::string& folder, const TenureSockets& sockets) {
  ASSIGN_OR_RETURN(const std::string registration, IdentityOf(files, sockets.registration));
  ASSIGN_OR_RETURN(const std::string beside, IdentityOf(files, sockets.pod_resources));
  return AtomicWrite(files, random, JoinPath(folder, kTenureFile), absl::StrCat(registration, kStarting, beside), 0600);
}

absl::Status RecordTenure(FileSystem& files, Random& random, const std::string& folder, const TenureSockets& sockets) {
  ASSIGN_OR_RETURN(const std::string identity, IdentityOf(files, sockets.registration));
  return AtomicWrite(files, random, JoinPath(folder, kTenureFile), identity, 0600);
}

absl::Status ForgetTenure(FileSystem& files, const std::string& folder) {
  const absl::Status removed = files.Unlink(JoinPath(folder, kTenureFile));
  if (absl::IsNotFound(removed)) return absl::OkStatus();
  RETURN_IF_ERROR(removed);
  return files.SyncFolder(folder);
}

}  // namespace kubelet_cm::life
