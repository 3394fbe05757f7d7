#include "kubelet_cm/life/tenure_record.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::life {
namespace {

constexpr size_t kMostBytes = 4096;

// Nothing when there is no socket. Numbers of inodes are given out again, so the time belongs to it.
absl::StatusOr<std::string> IdentityOf(FileSystem& files, const std::string& socket) {
  const absl::StatusOr<FileStat> stat = files.Lstat(socket);
  if (absl::IsNotFound(stat.status())) return "";
  RETURN_IF_ERROR(stat.status());
  return absl::StrCat(stat->inode, " ", absl::ToUnixNanos(stat->modified), "\n");
}

}  // namespace

absl::StatusOr<Tenure> ReadTenure(FileSystem& files, const std::string& folder, const std::string& socket) {
  const absl::StatusOr<std::string> ours = ReadFile(files, JoinPath(folder, kTenureFile), kMostBytes);
  if (absl::IsNotFound(ours.status())) return Tenure::kFirst;
  RETURN_IF_ERROR(ours.status());
  ASSIGN_OR_RETURN(const std::string there, IdentityOf(files, socket));
  return there.empty() || there == *ours ? Tenure::kOurs : Tenure::kOthers;
}

absl::Status RecordTenure(FileSystem& files, Random& random, const std::string& folder, const std::string& socket) {
  ASSIGN_OR_RETURN(const std::string identity, IdentityOf(files, socket));
  return AtomicWrite(files, random, JoinPath(folder, kTenureFile), identity, 0600);
}

absl::Status ForgetTenure(FileSystem& files, const std::string& folder) {
  const absl::Status removed = files.Unlink(JoinPath(folder, kTenureFile));
  if (absl::IsNotFound(removed)) return absl::OkStatus();
  RETURN_IF_ERROR(removed);
  return files.SyncFolder(folder);
}

}  // namespace kubelet_cm::life
