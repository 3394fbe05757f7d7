// Whether somebody else had the node since the daemon did. A kubelet makes the socket at which plugins register anew
// whenever it starts, and leaves it when it ends: one that is there and that the daemon did not make is the sign.
//
//   ASSIGN_OR_RETURN(const Tenure tenure, ReadTenure(files, folder, sockets));
//   if (tenure == Tenure::kOurs) RETURN_IF_ERROR(BeginTenure(files, random, folder, sockets));
//   ... the socket is made; what others left is taken over, durably ...
//   RETURN_IF_ERROR(RecordTenure(files, random, folder, sockets));
//   ... and the socket for pod resources is made.
//
// A start that is killed in between leaves a socket that nobody has recorded. It said that it begins, and beside which
// socket for pod resources: a kubelet would have made that one anew, too. (None before 1.13 did, and one of those that
// comes right after such a kill is not noticed.) After a killed start that had to take over, the next one takes over.
#ifndef KUBELET_CM_KUBELET_CM_LIFE_TENURE_RECORD_H_
#define KUBELET_CM_KUBELET_CM_LIFE_TENURE_RECORD_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/filesystem/file_system.h"
#include "common/random/random.h"

namespace kubelet_cm::life {

// The file's name in the folder.
inline constexpr char kTenureFile[] = ".tenure";

enum class Tenure {
  kFirst,   // there is no record: nobody knows who was here
  kOurs,    // nobody but the daemon
  kOthers,  // somebody else, too
};

struct TenureSockets {
  std::string registration = {};  // at which device plugins register
  std::string pod_resources = {};
};

absl::StatusOr<Tenure> ReadTenure(FileSystem& files, const std::string& folder, const TenureSockets& sockets);

// The registration socket that comes next is the daemon's. Durable when it returns.
absl::Status BeginTenure(FileSystem& files, Random& random, const std::string& folder, const TenureSockets& sockets);

// The registration socket that is there now is the daemon's. Durable when it returns.
absl::Status RecordTenure(FileSystem& files, Random& random, const std::string& folder, const TenureSockets& sockets);

// For when what the daemon knew is lost: the next start is the first. Durable when it returns.
absl::Status ForgetTenure(FileSystem& files, const std::string& folder);

}  // namespace kubelet_cm::life

#endif  // KUBELET_CM_KUBELET_CM_LIFE_TENURE_RECORD_H_
