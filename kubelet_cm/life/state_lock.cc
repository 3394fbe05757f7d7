#include "kubelet_cm/life/state_lock.h"

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/filesystem/file_functions.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"

namespace kubelet_cm::life {
namespace {

constexpr size_t kMostBytes = 32;

// " (process 123)", or nothing when the file does not say.
std::string Holder(FileSystem& files, const std::string& path) {
  const auto text = ReadFile(files, path, kMostBytes);
  int process = 0;
  if (!text.ok() || !absl::SimpleAtoi(absl::StripAsciiWhitespace(*text), &process)) return "";
  return absl::StrCat(" (process ", process, ")");
}

}  // namespace

absl::StatusOr<std::unique_ptr<StateLock>> StateLock::Take(FileSystem& files, const std::string& folder,
                                                           int process_id) {
  RETURN_IF_ERROR(MakeFoldersDurably(files, folder, 0750));
  const std::string path = JoinPath(folder, kLockFile);
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, files.Open(path, OpenMode::kCreate, 0600));
  if (const absl::Status locked = file->Lock(); absl::IsUnavailable(locked)) {
    return absl::UnavailableError(absl::StrCat("another kubelet_cm", Holder(files, path), " works on ", folder,
                                               ": stop it, or choose another --root-dir"));
  } else if (!locked.ok()) {
    return locked;
  }
  // Of one length, so that nothing of an older one is left. It is for people: that it cannot be written is no reason
  // not to start.
  file->Write(absl::StrFormat("%-10d\n", process_id)).IgnoreError();
  return std::unique_ptr<StateLock>(new StateLock(std::move(file)));
}

}  // namespace kubelet_cm::life
