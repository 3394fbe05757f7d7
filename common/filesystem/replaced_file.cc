#include "common/filesystem/replaced_file.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>
#include <vector>

#include "common/filesystem/atomic_write.h"
#include "common/filesystem/path.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"

namespace kubelet_cm {
namespace {

// Blocks that are read at a time: what fits into a processor's nearest memory.
constexpr size_t kBlocksAtOnce = 16;

struct Range {
  size_t begin = 0;
  size_t end = 0;
};

// Whether a call failed because there is no such thing here, now or later.
bool IsUnsupported(const absl::Status& status) {
  const int error = ErrnoOf(status);
  return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

// Whether `now` is the file that was made, with the access that it was made with.
bool IsSameFile(const FileStat& now, const FileStat& made) {
  return now.kind == FileKind::kRegular && now.inode == made.inode && now.links == 1 && now.mode == made.mode &&
         now.owner == made.owner && now.group == made.group;
}

// Where `bytes` differs from what `file`, at whose beginning we are, has: whole blocks, neighbours together.
absl::StatusOr<std::vector<Range>> Differences(File& file, absl::string_view bytes, size_t block) {
  std::vector<Range> differences;
  for (size_t chunk = 0; chunk < bytes.size(); chunk += block * kBlocksAtOnce) {
    ASSIGN_OR_RETURN(const std::string there, file.Read(block * kBlocksAtOnce));
    const absl::string_view wanted = bytes.substr(chunk, block * kBlocksAtOnce);
    for (size_t at = 0; at < wanted.size(); at += block) {
      const absl::string_view is = absl::string_view(there).substr(std::min(at, there.size()), block);
      const absl::string_view shall_be = wanted.substr(at, block);
      // The last block of a file that is to become shorter is no difference: the rest is cut off.
      if (is.substr(0, shall_be.size()) == shall_be) continue;
      const Range range = {.begin = chunk + at, .end = chunk + at + shall_be.size()};
      if (!differences.empty() && differences.back().end == range.begin) {
        differences.back().end = range.end;
      } else {
        differences.push_back(range);
      }
    }
  }
  return differences;
}

}  // namespace

ReplacedFile::ReplacedFile(FileSystem& file_system, Random& random, std::string path, ReplacedFileOptions options)
    : file_system_(file_system), random_(random), path_(std::move(path)), folder_(FolderOf(path_)), options_(options) {}

ReplacedFile::~ReplacedFile() { RemoveSpare(); }

absl::Status ReplacedFile::Replace(absl::string_view bytes) {
  if (bytes.size() < options_.large || !can_keep_) {
    RemoveSpare();
    current_.reset();
    return AtomicWrite(file_system_, random_, path_, bytes, options_.mode);
  }
  ASSIGN_OR_RETURN(const OwnFile next, NextFile(bytes));
  return PutInPlace(next);
}

absl::StatusOr<ReplacedFile::OwnFile> ReplacedFile::NextFile(absl::string_view bytes) {
  if (spare_.has_value()) {
    const absl::StatusOr<bool> is_rewritten = Rewrite(*spare_, bytes);
    if (is_rewritten.ok() && *is_rewritten) return *std::exchange(spare_, std::nullopt);
    if (!is_rewritten.ok()) {
      return RemoveTempFile(is_rewritten.status(), file_system_, std::exchange(spare_, std::nullopt)->path);
    }
    RemoveSpare();
  }
  return NewFile(bytes);
}

absl::StatusOr<ReplacedFile::OwnFile> ReplacedFile::NewFile(absl::string_view bytes) {
  OwnFile made;
  ASSIGN_OR_RETURN(made.path, WriteTempFile(file_system_, random_, path_, bytes, options_.mode));
  const absl::StatusOr<FileStat> stat = file_system_.Lstat(made.path);
  if (!stat.ok()) return RemoveTempFile(stat.status(), file_system_, made.path);
  made.stat = *stat;
  return made;
}

absl::StatusOr<bool> ReplacedFile::Rewrite(const OwnFile& spare, absl::string_view bytes) {
  const absl::StatusOr<std::unique_ptr<File>> opened = file_system_.Open(spare.path, OpenMode::kReadWriteNoLink);
  if (!opened.ok()) return false;
  File& file = **opened;
  const std::optional<uint64_t> size = TakeAlone(spare, file);
  if (!size.has_value()) return false;
  const absl::StatusOr<std::vector<Range>> differences = Differences(file, bytes, options_.block);
  if (!differences.ok()) return false;
  for (const Range& range : *differences) {
    RETURN_IF_ERROR(file.WriteAt(range.begin, bytes.substr(range.begin, range.end - range.begin)));
  }
  if (*size > bytes.size()) RETURN_IF_ERROR(file.Resize(bytes.size()));
  RETURN_IF_ERROR(file.Sync());
  RETURN_IF_ERROR(file.Close());
  return true;
}

std::optional<uint64_t> ReplacedFile::TakeAlone(const OwnFile& spare, File& file) {
  const absl::Status alone = file.TakeAlone();
  // Asked while nobody else has it open: what opens it from now on waits.
  const absl::StatusOr<FileStat> stat = file.Stat();
  if (!stat.ok() || !IsSameFile(*stat, spare.stat)) return std::nullopt;
  if (IsUnsupported(alone) || absl::IsPermissionDenied(alone)) can_keep_ = false;
  if (!alone.ok()) return std::nullopt;
  return stat->size;
}

absl::Status ReplacedFile::PutInPlace(const OwnFile& next) {
  const std::optional<FileStat> replaced = current_;
  const absl::StatusOr<bool> is_exchanged = ExchangeWith(next);
  current_.reset();
  if (!is_exchanged.ok()) return RemoveTempFile(is_exchanged.status(), file_system_, next.path);
  if (*is_exchanged) {
    spare_ = {.path = next.path, .stat = *replaced};
  } else if (const absl::Status renamed = file_system_.Rename(next.path, path_); !renamed.ok()) {
    return RemoveTempFile(renamed, file_system_, next.path);
  }
  if (const absl::Status synced = file_system_.SyncFolder(folder_); !synced.ok()) {
    // After a power cut the name may be the file that was replaced: nobody may write to that.
    RemoveSpare();
    return synced;
  }
  current_ = next.stat;
  return absl::OkStatus();
}

absl::StatusOr<bool> ReplacedFile::ExchangeWith(const OwnFile& next) {
  if (!current_.has_value() || !can_keep_) return false;
  const absl::StatusOr<FileStat> there = file_system_.Lstat(path_);
  if (!there.ok() || !IsSameFile(*there, *current_)) return false;
  const absl::Status exchanged = file_system_.Exchange(next.path, path_);
  if (exchanged.ok()) return true;
  if (absl::IsNotFound(exchanged)) return false;
  if (!IsUnsupported(exchanged)) return exchanged;
  can_keep_ = false;
  return false;
}

void ReplacedFile::RemoveSpare() {
  // If it cannot be removed, a sweep will do it; the file itself does not depend on it.
  if (spare_.has_value()) file_system_.Unlink(spare_->path).IgnoreError();
  spare_.reset();
}

}  // namespace kubelet_cm
