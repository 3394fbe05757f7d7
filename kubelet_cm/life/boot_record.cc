#include "kubelet_cm/life/boot_record.h"

#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/atomic_write.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::life {
namespace {

constexpr size_t kMostBytes = 4096;

absl::StatusOr<std::optional<std::string>> ReadRecord(FileSystem& files, const std::string& folder) {
  auto text = ReadFile(files, JoinPath(folder, kBootFile), kMostBytes);
  if (absl::IsNotFound(text.status())) return std::nullopt;
  if (!text.ok()) return text.status();
  absl::StripAsciiWhitespace(&*text);
  return *std::move(text);
}

}  // namespace

absl::StatusOr<bool> RebootedSince(FileSystem& files, const std::string& folder, const std::string& boot_id) {
  ASSIGN_OR_RETURN(const std::optional<std::string> recorded, ReadRecord(files, folder));
  return recorded.has_value() && *recorded != boot_id;
}

absl::Status RecordBoot(FileSystem& files, Random& random, const std::string& folder, const std::string& boot_id) {
  ASSIGN_OR_RETURN(const std::optional<std::string> recorded, ReadRecord(files, folder));
  if (recorded == boot_id) return absl::OkStatus();
  return AtomicWrite(files, random, JoinPath(folder, kBootFile), absl::StrCat(boot_id, "\n"), 0600);
}

}  // namespace kubelet_cm::life
