#include "tools/cmctl/node/daemon_connection.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "kubelet_cm/config/default_root.h"
#include "tools/cmctl/checkpoint/terminal_text.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kSocketName[] = "kubelet_cm.sock";

std::string Absolute(const std::string& path, const ToolEnvironment& environment) {
  return path.starts_with('/') ? path : JoinPath(environment.user.working_folder, path);
}

absl::Status NobodyAt(const std::string& path, const std::string& why) {
  return absl::UnavailableError(absl::StrCat("no kubelet_cm answers at ", Printable(path), why,
                                             ": start it with ./bazelw run //kubelet_cm, or say where it is with "
                                             "--endpoint"));
}

absl::Status CheckSocket(const std::string& path, const ToolEnvironment& environment) {
  const absl::StatusOr<FileStat> stat = environment.file_system.Stat(path);
  if (absl::IsNotFound(stat.status())) return NobodyAt(path, "");
  if (!stat.ok())
    return absl::UnavailableError(absl::StrCat("the daemon cannot be reached: ", stat.status().message()));
  if (stat->kind == FileKind::kSocket) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(Printable(path), " is no socket: --endpoint wants the daemon's"));
}

absl::Status Explained(const absl::Status& error, const std::string& path) {
  switch (error.code()) {
    case absl::StatusCode::kOk:
      return error;
    case absl::StatusCode::kUnavailable:
      return NobodyAt(path, " any more");
    case absl::StatusCode::kDeadlineExceeded:
      return absl::UnavailableError(absl::StrCat("whoever listens at ", Printable(path), " does not answer"));
    case absl::StatusCode::kUnimplemented:
      return absl::UnavailableError(absl::StrCat(
          Printable(path), " is not the control socket of a kubelet_cm; cmctl plugin probe says what it is"));
    default:
      return absl::UnavailableError(absl::StrCat("the daemon at ", Printable(path), " says: ", error.message()));
  }
}

}  // namespace

std::string SocketPathOf(const std::string& given, const ToolEnvironment& environment) {
  constexpr std::string_view kScheme = "unix://";
  return Absolute(given.starts_with(kScheme) ? given.substr(kScheme.size()) : given, environment);
}

absl::StatusOr<std::string> ControlSocket(const ConnectionFlags& flags, const ToolEnvironment& environment) {
  if (!flags.endpoint.empty()) return SocketPathOf(flags.endpoint, environment);
  if (flags.root_dir.empty() && !environment.user.endpoint.empty()) {
    return SocketPathOf(environment.user.endpoint, environment);
  }
  ASSIGN_OR_RETURN(const std::string root, RootFolder(flags, environment));
  return JoinPath(root, kSocketName);
}

absl::StatusOr<std::string> RootFolder(const ConnectionFlags& flags, const ToolEnvironment& environment) {
  if (!flags.root_dir.empty()) return Absolute(flags.root_dir, environment);
  if (!flags.endpoint.empty()) return FolderOf(SocketPathOf(flags.endpoint, environment));
  if (!environment.user.endpoint.empty()) return FolderOf(SocketPathOf(environment.user.endpoint, environment));
  return config::DefaultRootDir(environment.user.xdg_state_home, environment.user.home);
}

absl::StatusOr<std::unique_ptr<ControlClient>> OpenDaemon(const ConnectionFlags& flags,
                                                          const ToolEnvironment& environment) {
  ASSIGN_OR_RETURN(const std::string path, ControlSocket(flags, environment));
  RETURN_IF_ERROR(CheckSocket(path, environment));
  ASSIGN_OR_RETURN(std::unique_ptr<ControlClient> client, environment.node->Control(path));
  // gRPC connects with the first call. What goes wrong later is about that call.
  RETURN_IF_ERROR(Explained(client->Version().status(), path));
  return client;
}

int WithDaemon(const ConnectionFlags& flags, const ToolEnvironment& environment, const DaemonVerb& verb) {
  const absl::StatusOr<std::unique_ptr<ControlClient>> client = OpenDaemon(flags, environment);
  if (!client.ok()) return Complain(environment, "", client.status());
  return verb(**client);
}

int Complain(const ToolEnvironment& environment, const std::string& subject, const absl::Status& error) {
  const std::string message = Printable(std::string(error.message()));
  // Many an error says itself what it is about.
  const bool names_it = subject.empty() || message.starts_with(subject);
  environment.err << "cmctl: " << (names_it ? "" : subject + ": ") << message << "\n";
  if (absl::IsNotFound(error)) return kNotFound;
  return absl::IsInvalidArgument(error) ? kUsage : kFailed;
}

}  // namespace kubelet_cm::cmctl
