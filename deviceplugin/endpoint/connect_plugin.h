// ConnectPlugin: from the socket of a device plugin to a PluginClient. For any thread; blocks.
#ifndef KUBELET_CM_DEVICEPLUGIN_ENDPOINT_CONNECT_PLUGIN_H_
#define KUBELET_CM_DEVICEPLUGIN_ENDPOINT_CONNECT_PLUGIN_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/filesystem/file_system.h"
#include "common/log/logger.h"
#include "deviceplugin/api/plugin_api.h"
#include "deviceplugin/endpoint/plugin_client.h"

namespace kubelet_cm::deviceplugin {

struct ConnectOptions {
  // For a socket that is there: its plugin may be about to listen.
  absl::Duration dial_timeout = absl::Seconds(10);
  // For a path where nothing is. A kubelet waits the whole time there too, which holds up plugins that the watcher has
  // found already and that register once more by mistake.
  absl::Duration missing_socket_timeout = absl::Seconds(1);
  int max_receive_bytes = 16 << 20;  // of one message: of a device list, above all
};

struct ConnectDependencies {
  FileSystem& files;  // the real one
  Logger& log;        // outlives the client
};

// Connected when it returns. Errors read `failed to dial device plugin: ...` and name the path; kDeadlineExceeded when
// nobody answers there in time, kFailedPrecondition at once when it is no socket, or a link out of its folder.
absl::StatusOr<std::unique_ptr<PluginClient>> ConnectPlugin(const ConnectDependencies& dependencies,
                                                            const std::string& socket_path, PluginApi api,
                                                            const ConnectOptions& options = {});

}  // namespace kubelet_cm::deviceplugin

#endif  // KUBELET_CM_DEVICEPLUGIN_ENDPOINT_CONNECT_PLUGIN_H_
