// TarArchive: files in memory as a tar archive (ustar, POSIX.1-1988), and any bytes as gzip.
#ifndef KUBELET_CM_TOOLS_CMCTL_BUNDLE_TAR_ARCHIVE_H_
#define KUBELET_CM_TOOLS_CMCTL_BUNDLE_TAR_ARCHIVE_H_

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace kubelet_cm::cmctl {

// One thread.
class TarArchive {
 public:
  // What ustar's header has room for.
  static constexpr size_t kMostNameBytes = 100;
  static constexpr size_t kMostFileBytes = (size_t{1} << 33) - 1;

  // `modified` is every file's time.
  explicit TarArchive(absl::Time modified) : modified_(modified) {}

  // A regular file, mode 0600. InvalidArgument for a name or a size that does not fit.
  absl::Status Add(std::string_view name, std::string_view bytes);

  // The archive so far, with its end.
  std::string Bytes() const;

 private:
  const absl::Time modified_;
  std::string blocks_;
};

// A pure function.
absl::StatusOr<std::string> Gzip(std::string bytes);

}  // namespace kubelet_cm::cmctl

#endif  // KUBELET_CM_TOOLS_CMCTL_BUNDLE_TAR_ARCHIVE_H_
