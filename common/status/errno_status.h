// System call errors as absl::Status, and back.
//
//   if (fd < 0) return ErrnoStatus(errno, absl::StrCat("open ", path));   // "open /a: No such file or directory"
//   if (ErrnoOf(status) == ENOSPC) ...
//
// The code is Abseil's for that errno, except where ours says more to this project's callers: EIO is kInternal (the
// device beneath is broken), and ELOOP, ENXIO and ENODEV are kFailedPrecondition, so that kNotFound always means that
// the name is not there. Plain functions, for any thread.
#ifndef KUBELET_CM_COMMON_STATUS_ERRNO_STATUS_H_
#define KUBELET_CM_COMMON_STATUS_ERRNO_STATUS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace kubelet_cm {

// `attempted` names the call and what it was called on. `error` must not be 0. The errno travels along as a payload.
absl::Status ErrnoStatus(int error, absl::string_view attempted);

// The errno that `status` was made from, 0 when it was not made from one.
int ErrnoOf(const absl::Status& status);

// `status`, an error, with another message: the code and the payloads (so the errno too) stay.
absl::Status Reworded(const absl::Status& status, absl::string_view message);

}  // namespace kubelet_cm

#endif  // KUBELET_CM_COMMON_STATUS_ERRNO_STATUS_H_
