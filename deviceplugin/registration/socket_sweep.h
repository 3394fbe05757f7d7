// SweepSockets: the sockets that plugins left in the device plugin folder go when a kubelet starts. A plugin that sees
// its socket vanish registers again.
#ifndef KUBELET_CM_DEVICEPLUGIN_REGISTRATION_SOCKET_SWEEP_H_
#define KUBELET_CM_DEVICEPLUGIN_REGISTRATION_SOCKET_SWEEP_H_

#include <string>

#include "absl/status/status.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"

namespace kubelet_cm::deviceplugin {

// Removes every socket, and every link to one, in `folder`, except what is called `keep`; files, folders and links that
// lead nowhere stay. What cannot be looked at is logged and stays. What cannot be removed does not keep the others from
// being removed; it is an error, with the code of the first.
absl::Status SweepSockets(FileSystem& files, const std::string& folder, const std::string& keep, Logger& log);

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_REGISTRATION_SOCKET_SWEEP_H_
