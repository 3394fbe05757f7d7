#include "tools/cmctl/node/pod_verbs.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/input_file.h"
#include "tools/cmctl/checkpoint/response_view.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/node_names.h"
#include "tools/cmctl/node/pod_documents.h"

namespace kubelet_cm::cmctl {
namespace {

std::string Shown(const v1::PodReference& pod) { return absl::StrCat("pod ", Printable(PodText(pod))); }

// Printable of what may be several lines.
std::string Why(const std::string& reason, const std::string& message) {
  return message.empty() ? Printable(reason) : absl::StrCat(Printable(reason), ": ", Printable(message));
}

// Runs `verb` with a pod that is known.
using PodVerb = std::function<int(ControlClient& daemon, const v1::PodReference& pod)>;

int WithPod(const PodChoice& choice, const ToolEnvironment& environment, const PodVerb& verb) {
  return WithDaemon(choice.connection, environment, [&](ControlClient& daemon) {
    const absl::StatusOr<v1::ListPodsResponse> pods = daemon.ListPods();
    if (!pods.ok()) return Complain(environment, "", pods.status());
    const absl::StatusOr<v1::PodView> found =
        FindPod(*pods, {.text = choice.pod, .namespace_name = choice.namespace_name});
    if (!found.ok()) return Complain(environment, "", found.status());
    return verb(daemon, found->pod());
  });
}

void PrintHeld(const v1::PodView& pod, const ToolEnvironment& environment) {
  for (const auto& container : pod.containers()) {
    std::map<std::string, std::vector<std::string>> held;
    for (const auto& device : container.devices()) held[device.resource()].push_back(device.device_id());
    for (const auto& [resource, ids] : held) {
      environment.out << "  container " << Printable(container.name()) << ": " << Printable(resource) << " "
                      << Printable(absl::StrJoin(ids, ",")) << "\n";
    }
    for (const std::string& resource : container.without()) {
      environment.out << "  container " << Printable(container.name()) << ": no " << Printable(resource)
                      << ", which no plugin has registered\n";
    }
  }
}

int PrintAdmission(const v1::AdmitPodResponse& answer, const std::string& output, const ToolEnvironment& environment) {
  if (output != "text") {
    const absl::StatusOr<std::string> text = AnswerText(answer, output);
    if (!text.ok()) return Complain(environment, "", text.status());
    environment.out << (output == "yaml" ? "---\n" : "") << *text;
  } else if (answer.admitted()) {
    environment.out << Shown(answer.pod().pod()) << " admitted\n";
    PrintHeld(answer.pod(), environment);
  } else {
    environment.out << Shown(answer.pod().pod()) << " refused: " << Why(answer.reason(), answer.message()) << "\n";
  }
  return answer.admitted() ? kOk : kRefused;
}

int AdmitAll(ControlClient& daemon, const PodDocuments& documents, const AdmitOptions& options,
             const ToolEnvironment& environment) {
  int worst = kOk;
  for (const std::string& pod : documents.pods) {
    v1::AdmitPodRequest request;
    request.set_manifest(pod);
    const absl::StatusOr<v1::AdmitPodResponse> answer = daemon.AdmitPod(request);
    const int code = answer.ok() ? PrintAdmission(*answer, options.output, environment)
                                 : Complain(environment, DisplayName(options.file), answer.status());
    worst = std::max(worst, code);
  }
  return worst;
}

std::vector<ResponseItem> ItemsOf(const v1::ContainerOptionsResponse& options) {
  std::vector<ResponseItem> items;
  const std::map<std::string, std::string> envs(options.envs().begin(), options.envs().end());
  for (const auto& [name, value] : envs) items.push_back({"env", name, value});
  for (const auto& mount : options.mounts()) {
    const char* const mode = mount.read_only() ? " (read-only)" : " (read-write)";
    items.push_back({"mount", absl::StrCat(mount.host_path(), " -> ", mount.container_path(), mode), ""});
  }
  for (const auto& device : options.devices()) {
    items.push_back({"device",
                     absl::StrCat(device.host_path(), " -> ", device.container_path(), " (", device.permissions(), ")"),
                     ""});
  }
  for (const auto& annotation : options.annotations()) {
    items.push_back({"annotation", annotation.name(), annotation.value()});
  }
  for (const std::string& id : options.cdi_devices()) items.push_back({"cdi", id, ""});
  return items;
}

int PrintOptions(v1::ContainerOptionsResponse answer, const ContainerOptionsOptions& options,
                 const ToolEnvironment& environment) {
  if (options.output == "text") {
    for (const ResponseItem& item : ItemsOf(answer)) {
      environment.out << ItemText(item, options.show_secrets) << "\n";
    }
    return kOk;
  }
  if (!options.show_secrets) {
    for (auto& [name, value] : *answer.mutable_envs()) value = kRedacted;
  }
  const absl::StatusOr<std::string> text = AnswerText(answer, options.output);
  if (!text.ok()) return Complain(environment, "", text.status());
  environment.out << *text;
  return kOk;
}

}  // namespace

int RunAdmit(const AdmitOptions& options, const ToolEnvironment& environment) {
  const absl::StatusOr<std::string> text = ReadInput(options.file, environment);
  if (!text.ok()) return Complain(environment, DisplayName(options.file), text.status());
  const absl::StatusOr<PodDocuments> documents = SplitPods(*text);
  if (!documents.ok()) return Complain(environment, DisplayName(options.file), documents.status());
  for (const std::string& kind : documents->passed_over) {
    environment.err << "cmctl: " << DisplayName(options.file) << ": passed over, for it is no pod: " << Printable(kind)
                    << (kind == "ResourceClaim" ? " (claims come from the daemon's --claim-manifest-path or "
                                                  "--kubeconfig)\n"
                                                : "\n");
  }
  return WithDaemon(options.connection, environment,
                    [&](ControlClient& daemon) { return AdmitAll(daemon, *documents, options, environment); });
}

int RunPrepare(const PodChoice& choice, const ToolEnvironment& environment) {
  return WithPod(choice, environment, [&](ControlClient& daemon, const v1::PodReference& pod) -> int {
    v1::PreparePodRequest request;
    *request.mutable_pod() = pod;
    const absl::StatusOr<v1::PreparePodResponse> answer = daemon.PreparePod(request);
    if (!answer.ok()) return Complain(environment, Shown(pod), answer.status());
    environment.out << Shown(pod)
                    << (answer->prepared() ? std::string(" prepared")
                                           : " not prepared: " + Why(answer->reason(), answer->message()))
                    << "\n";
    return answer->prepared() ? kOk : kRefused;
  });
}

int RunDelete(const DeleteOptions& options, const ToolEnvironment& environment) {
  return WithPod(options.choice, environment, [&](ControlClient& daemon, const v1::PodReference& pod) -> int {
    v1::RemovePodRequest request;
    *request.mutable_pod() = pod;
    request.set_force(options.force);
    const absl::StatusOr<v1::RemovePodResponse> answer = daemon.RemovePod(request);
    if (!answer.ok()) return Complain(environment, Shown(pod), answer.status());
    environment.out << Shown(pod) << (answer->removed() ? " removed" : " is terminating");
    if (!answer->message().empty()) environment.out << ": " << Printable(answer->message());
    environment.out << "\n";
    return answer->removed() ? kOk : kRefused;
  });
}

int RunStarted(const PodChoice& choice, const std::string& container, const ToolEnvironment& environment) {
  return WithPod(choice, environment, [&](ControlClient& daemon, const v1::PodReference& pod) -> int {
    v1::ContainerStartedRequest request;
    *request.mutable_pod() = pod;
    request.set_container(container);
    const absl::Status status = daemon.ContainerStarted(request);
    if (!status.ok()) return Complain(environment, Shown(pod), status);
    environment.out << "container " << Printable(container) << " of " << Shown(pod) << " started\n";
    return kOk;
  });
}

int RunExited(const PodChoice& choice, const std::string& container, const ToolEnvironment& environment) {
  return WithPod(choice, environment, [&](ControlClient& daemon, const v1::PodReference& pod) -> int {
    v1::ContainerExitedRequest request;
    *request.mutable_pod() = pod;
    request.set_container(container);
    const absl::Status status = daemon.ContainerExited(request);
    if (!status.ok()) return Complain(environment, Shown(pod), status);
    environment.out << "container " << Printable(container) << " of " << Shown(pod) << " exited\n";
    return kOk;
  });
}

int RunContainerOptions(const ContainerOptionsOptions& options, const ToolEnvironment& environment) {
  return WithPod(options.choice, environment, [&](ControlClient& daemon, const v1::PodReference& pod) -> int {
    v1::ContainerOptionsRequest request;
    *request.mutable_pod() = pod;
    request.set_container(options.container);
    absl::StatusOr<v1::ContainerOptionsResponse> answer = daemon.ContainerOptions(request);
    if (!answer.ok()) return Complain(environment, Shown(pod), answer.status());
    return PrintOptions(*std::move(answer), options, environment);
  });
}

}  // namespace kubelet_cm::cmctl
