#include "deviceplugin/endpoint/connect_plugin.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "common/unixsocket/channel.h"
#include "common/unixsocket/socket_path.h"
#include "deviceplugin/endpoint/grpc_plugin_client.h"
#include "deviceplugin/endpoint/legacy_plugin_client.h"

namespace kubelet_cm::deviceplugin {
namespace {

using Channel = std::shared_ptr<grpc::Channel>;

// A link may name another socket of its folder. Elsewhere is nobody whom a plugin may speak for.
absl::Status CheckLink(FileSystem& files, const std::string& path, const FileStat& target) {
  const std::string folder = FolderOf(path);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(folder));
  for (const std::string& name : names) {
    const absl::StatusOr<FileStat> there = files.Lstat(JoinPath(folder, name));
    if (there.ok() && there->kind == FileKind::kSocket && there->inode == target.inode) return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(path, " is a symbolic link that leads out of ", folder));
}

absl::StatusOr<bool> SocketIsThere(FileSystem& files, const std::string& path) {
  const absl::StatusOr<FileStat> name = files.Lstat(path);
  const absl::StatusOr<FileStat> stat = files.Stat(path);
  if (absl::IsNotFound(name.status()) || absl::IsNotFound(stat.status())) return false;
  RETURN_IF_ERROR(name.status());
  RETURN_IF_ERROR(stat.status());
  if (name->kind == FileKind::kSymlink) RETURN_IF_ERROR(CheckLink(files, path, *stat));
  if (stat->kind != FileKind::kSocket) return absl::FailedPreconditionError(absl::StrCat(path, " is not a socket"));
  return true;
}

absl::StatusOr<Channel> Dial(const std::string& path, absl::Duration timeout, const ConnectOptions& options) {
  return DialUnixSocket(path, {.timeout = timeout, .max_receive_bytes = options.max_receive_bytes});
}

absl::Status NotInTime(std::string_view what, const std::string& path) {
  return absl::DeadlineExceededError(absl::StrCat("context deadline exceeded: ", std::string(what), " at ", path));
}

// Waits for a missing socket only as long as that deserves, and for its plugin once it is there.
absl::StatusOr<Channel> DialPlugin(FileSystem& files, const std::string& path, const ConnectOptions& options) {
  RETURN_IF_ERROR(CheckSocketPath(path));
  ASSIGN_OR_RETURN(bool is_there, SocketIsThere(files, path));
  absl::Duration time_left = options.dial_timeout;
  if (!is_there) {
    const absl::Duration patience = std::min(options.missing_socket_timeout, options.dial_timeout);
    absl::StatusOr<Channel> channel = Dial(path, patience, options);
    if (channel.ok()) {
      RETURN_IF_ERROR(SocketIsThere(files, path).status());
      return channel;
    }
    ASSIGN_OR_RETURN(is_there, SocketIsThere(files, path));
    if (!is_there) return NotInTime("there is no socket", path);
    time_left -= patience;
  }
  absl::StatusOr<Channel> channel = Dial(path, time_left, options);
  if (absl::IsDeadlineExceeded(channel.status())) return NotInTime("nobody answers", path);
  return channel;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PluginClient>> ConnectPlugin(const ConnectDependencies& dependencies,
                                                            const std::string& socket_path, PluginApi api,
                                                            const ConnectOptions& options) {
  const absl::StatusOr<Channel> channel = DialPlugin(dependencies.files, socket_path, options);
  if (!channel.ok()) {
    const absl::Status& why = channel.status();
    return absl::Status(why.code(), absl::StrCat("failed to dial device plugin: ", why.message()));
  }
  if (api == PluginApi::kV1Beta1) return std::make_unique<GrpcPluginClient>(*channel);
  return std::make_unique<LegacyPluginClient>(api, *channel, dependencies.log);
}

}  // namespace kubelet_cm::deviceplugin
