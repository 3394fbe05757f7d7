#include "tools/cmctl/node/plugin_verbs.h"

#include <memory>
#include <utility>

#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "common/status/grpc_status.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/state_json.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/daemon_connection.h"
#include "tools/cmctl/node/plugin_text.h"

namespace kubelet_cm::cmctl {
namespace {

using deviceplugin::PluginApi;
using deviceplugin::PluginClient;

constexpr absl::Duration kCallTime = absl::Seconds(60);

// The socket's absolute path; NotFound and the like with words of their own.
absl::StatusOr<std::string> CheckedSocket(const std::string& given, const ToolEnvironment& environment) {
  const std::string path = SocketPathOf(given, environment);
  const absl::StatusOr<FileStat> stat = environment.file_system.Stat(path);
  if (absl::IsNotFound(stat.status())) return absl::NotFoundError("there is no such socket");
  RETURN_IF_ERROR(stat.status());
  if (stat->kind != FileKind::kSocket) return absl::InvalidArgumentError("that is no socket");
  return path;
}

PluginApi ApiOf(const std::string& version) {
  for (const PluginApi api : {PluginApi::kV1Alpha2, PluginApi::k01}) {
    if (deviceplugin::ApiVersion(api) == version) return api;
  }
  return PluginApi::kV1Beta1;
}

absl::Status Print(const google::protobuf::Message& message, const std::string& text, const PluginCallOptions& options,
                   const ToolEnvironment& environment) {
  if (options.output == "text") {
    environment.out << text << std::flush;
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string answer, AnswerText(message, options.output));
  environment.out << answer << std::flush;
  return absl::OkStatus();
}

absl::Status CallList(PluginClient& plugin, const PluginCallOptions& options, const ToolEnvironment& environment) {
  const std::unique_ptr<deviceplugin::DeviceStream> stream = plugin.ListAndWatch();
  bool first = true;
  while (first || options.watch) {
    const absl::StatusOr<deviceplugin::ListMessage> list = stream->Read();
    // The plugin may end a watch, and says so by that.
    if (!first && absl::IsOutOfRange(list.status())) return absl::OkStatus();
    RETURN_IF_ERROR(list.status());
    if (!first && options.output == "text") environment.out << "\n";
    RETURN_IF_ERROR(Print(**list, DevicesText(**list), options, environment));
    first = false;
  }
  return absl::OkStatus();
}

absl::Status Call(PluginClient& plugin, const PluginCallOptions& options, const ToolEnvironment& environment) {
  if (options.call == "list") return CallList(plugin, options, environment);
  if (options.call == "options") {
    ASSIGN_OR_RETURN(const ::v1beta1::DevicePluginOptions answer, plugin.GetOptions(kCallTime));
    return Print(answer, OptionsText(answer), options, environment);
  }
  if (options.call == "allocate") {
    ASSIGN_OR_RETURN(::v1beta1::AllocateResponse answer, plugin.Allocate(options.devices, kCallTime));
    const std::string text = AllocationText(answer, options.show_secrets);
    if (!options.show_secrets) answer = WithoutSecrets(std::move(answer));
    return Print(answer, text, options, environment);
  }
  if (options.call == "preferred") {
    ASSIGN_OR_RETURN(const ::v1beta1::PreferredAllocationResponse answer,
                     plugin.GetPreferredAllocation(options.devices, options.must_include, options.size, kCallTime));
    std::vector<std::string> ids;
    for (const auto& container : answer.container_responses()) {
      ids.insert(ids.end(), container.deviceids().begin(), container.deviceids().end());
    }
    return Print(answer, Printable(absl::StrJoin(ids, ",")) + "\n", options, environment);
  }
  RETURN_IF_ERROR(plugin.PreStartContainer(options.devices, kCallTime));
  environment.out << "the container may start\n";
  return absl::OkStatus();
}

}  // namespace

int RunProbe(const ProbeOptions& options, const ToolEnvironment& environment) {
  const absl::StatusOr<std::string> path = CheckedSocket(options.socket, environment);
  if (!path.ok()) return Complain(environment, Printable(options.socket), path.status());
  const absl::StatusOr<SocketReport> report = environment.node->Probe(*path);
  if (!report.ok()) return Complain(environment, Printable(options.socket), report.status());
  if (options.output == "text") {
    environment.out << ReportText(*report);
  } else {
    const absl::StatusOr<std::string> json = ReportJson(*report);
    if (!json.ok()) return Complain(environment, "", json.status());
    environment.out << (options.output == "yaml" ? YamlOf(*json) : IndentedJson(*json));
  }
  return report->services.empty() ? kRefused : kOk;
}

int RunPluginCall(const PluginCallOptions& options, const ToolEnvironment& environment) {
  const bool wants_devices = options.call == "allocate" || options.call == "prestart" || options.call == "preferred";
  if (wants_devices && options.devices.empty()) {
    return Complain(environment, "", absl::InvalidArgumentError("say which devices: DEVICE..."));
  }
  const absl::StatusOr<std::string> path = CheckedSocket(options.socket, environment);
  if (!path.ok()) return Complain(environment, Printable(options.socket), path.status());
  const absl::StatusOr<std::unique_ptr<PluginClient>> plugin = environment.node->Plugin(*path, ApiOf(options.api));
  if (!plugin.ok()) return Complain(environment, Printable(options.socket), plugin.status());
  const absl::Status status = Call(**plugin, options, environment);
  (*plugin)->Disconnect();
  if (status.ok()) return kOk;
  environment.err << "cmctl: " << Printable(options.socket) << ": " << Printable(GoRpcErrorText(status)) << "\n";
  return kRefused;
}

}  // namespace kubelet_cm::cmctl
