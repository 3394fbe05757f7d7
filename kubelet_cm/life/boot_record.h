// Whether the machine was booted since the daemon last ran: the boot's id is kept in the root folder and compared.
//
//   ASSIGN_OR_RETURN(const bool rebooted, RebootedSince(files, root, boot_id));
//   ... everything is restored, with NodeStart::rebooted ...
//   RETURN_IF_ERROR(RecordBoot(files, random, root, boot_id));
//
// Recorded late, a start that was killed half-way is one more start after the boot.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_BOOT_RECORD_H_
#define KUBELET_CM_KUBELET_CM_LIFE_BOOT_RECORD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm::life {

// The file's name in the root folder.
inline constexpr char kBootFile[] = "kubelet_cm_boot_id";

// False where there is no record: nothing is known, and a kubelet that ran here before may have left containers
// running.
absl::StatusOr<bool> RebootedSince(FileSystem& files, const std::string& folder, const std::string& boot_id);

// Durable when it returns. Writes nothing when the record says so already.
absl::Status RecordBoot(FileSystem& files, Random& random, const std::string& folder, const std::string& boot_id);

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_BOOT_RECORD_H_
