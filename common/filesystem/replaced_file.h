// ReplacedFile: one file that is replaced again and again, cheaply when it is large.
//
// Small contents go through AtomicWrite. When large ones replace large ones, the file that was replaced is not given
// back to the disk but kept beside the new one under a temporary name, the spare. The next time only those blocks of
// the spare that differ from the new contents are written; it is synced, the two names are exchanged, and the folder is
// synced. So what AtomicWrite promises holds here, too: at every moment, and after a kill or a power cut at any moment,
// the name is the old file or the new one, whole; and when Replace returns OK, the new one survives a power cut.
//
// A file that somebody reads never changes under him: a spare is written to only by who is alone with it (a lease), and
// only when it has no second name. Nothing is believed about its bytes: they are read, and compared. Spares are only
// files that this object has made. A spare that somebody has open, or that is not as it was left, is removed, and the
// file replaced in the ordinary way; so it is where the system has no leases or cannot exchange names.
//
// Who is killed leaves a spare, which SweepTempFiles removes as it does other temporary files.
#ifndef KUBELET_CM_COMMON_FILESYSTEM_REPLACED_FILE_H_
#define KUBELET_CM_COMMON_FILESYSTEM_REPLACED_FILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm {

struct ReplacedFileOptions {
  uint32_t mode = 0600;            // exactly these permission bits
  size_t large = 64 << 10;         // from how many bytes on spares are kept
  size_t block = size_t{4} << 10;  // of which the differing ones are written: the page cache's
};

// Used by one thread at a time. Callers see to it that there is one writer per path.
class ReplacedFile {
 public:
  // Touches nothing yet. What is given outlives the object.
  ReplacedFile(FileSystem& file_system, Random& random, std::string path, ReplacedFileOptions options = {});
  // Removes the spare.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  // Errors are as those of AtomicWrite: the file is the old one, except when it was the sync of the folder that failed,
  // or a call that reported an error though it took effect. The next call does not depend on what became of this one.
  absl::Status Replace(absl::string_view bytes);

  const std::string& path() const { return path_; }

 private:
  // A file that this object has made: where it is, and as what.
  struct OwnFile {
    std::string path;
    FileStat stat;
  };

  // A file beside the other one with these bytes, durable but for its name.
  absl::StatusOr<OwnFile> NextFile(absl::string_view bytes);
  absl::StatusOr<OwnFile> NewFile(absl::string_view bytes);
  // False when `spare` cannot be used, and has not been changed.
  absl::StatusOr<bool> Rewrite(const OwnFile& spare, absl::string_view bytes);
  // How long `file`, which is to be `spare`, is; nothing when somebody else has it open, or it is not as it was left.
  std::optional<uint64_t> TakeAlone(const OwnFile& spare, File& file);
  // Gives `next` the name, and keeps what had it if it is ours.
  absl::Status PutInPlace(const OwnFile& next);
  absl::StatusOr<bool> ExchangeWith(const OwnFile& next);
  void RemoveSpare();

  FileSystem& file_system_;
  Random& random_;
  const std::string path_;
  const std::string folder_;
  const ReplacedFileOptions options_;

  bool can_keep_ = true;             // false: the system has no leases or cannot exchange names
  std::optional<FileStat> current_;  // what we have put under the name; nothing: something else may be there
  std::optional<OwnFile> spare_;
};

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_FILESYSTEM_REPLACED_FILE_H_
