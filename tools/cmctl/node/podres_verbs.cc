#include "tools/cmctl/node/podres_verbs.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/filesystem/path.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/answer_text.h"
#include "tools/cmctl/node/node_names.h"
#include "tools/cmctl/node/pod_resources_client.h"
#include "tools/cmctl/node/row_printer.h"

namespace kubelet_cm::cmctl {
namespace {

constexpr char kSocket[] = "pod-resources/kubelet.sock";

using Rows = std::vector<std::vector<std::string>>;

std::string NodesOf(const ::v1::ContainerDevices& devices) {
  std::vector<int64_t> nodes;
  for (const ::v1::NUMANode& node : devices.topology().nodes()) nodes.push_back(node.id());
  return absl::StrJoin(nodes, ",");
}

std::string ClaimText(const ::v1::DynamicResource& claim) {
  return absl::StrCat("claim ", claim.claim_namespace(), "/", claim.claim_name());
}

std::string DevicesOf(const ::v1::DynamicResource& claim) {
  std::vector<std::string> devices;
  for (const ::v1::ClaimResource& device : claim.claim_resources()) {
    devices.push_back(absl::StrCat(device.driver_name(), "/", device.pool_name(), "/", device.device_name()));
  }
  return absl::StrJoin(devices, ",");
}

void AddRows(const ::v1::PodResources& pod, Rows* rows) {
  bool any = false;
  for (const ::v1::ContainerResources& container : pod.containers()) {
    const auto add = [&](std::string resource, std::string devices, std::string nodes) {
      rows->push_back(
          {pod.namespace_(), pod.name(), container.name(), std::move(resource), std::move(devices), std::move(nodes)});
      any = true;
    };
    for (const ::v1::ContainerDevices& devices : container.devices()) {
      add(devices.resource_name(), absl::StrJoin(devices.device_ids(), ","), NodesOf(devices));
    }
    for (const ::v1::DynamicResource& claim : container.dynamic_resources()) {
      add(ClaimText(claim), DevicesOf(claim), "");
    }
  }
  if (!any) rows->push_back({pod.namespace_(), pod.name(), "", "", "", ""});
}

absl::Status Print(const google::protobuf::Message& answer, const std::vector<std::string>& headings, const Rows& rows,
                   const PodresOptions& options, const ToolEnvironment& environment) {
  if (options.output == "table") {
    RowPrinter(environment.out, headings, !options.no_headers).Print(rows);
    return absl::OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string text, AnswerText(answer, options.output));
  environment.out << text;
  return absl::OkStatus();
}

absl::StatusOr<::v1::ListPodResourcesResponse> List(PodResourcesClient& client, const ToolEnvironment& environment) {
  absl::StatusOr<::v1::ListPodResourcesResponse> answer = client.List();
  if (!absl::IsUnimplemented(answer.status())) return answer;
  absl::StatusOr<::v1::ListPodResourcesResponse> old = client.ListV1Alpha1();
  // What serves neither is told of by the newer one.
  if (absl::IsUnimplemented(old.status())) return answer;
  if (old.ok()) environment.err << "cmctl: only v1alpha1 is served there: no NUMA nodes and no claims are told\n";
  return old;
}

absl::Status Ask(PodResourcesClient& client, const PodresOptions& options, const ToolEnvironment& environment) {
  const std::vector<std::string> headings = {"NAMESPACE", "POD", "CONTAINER", "RESOURCE", "DEVICES", "NUMA"};
  Rows rows;
  if (options.call == "list") {
    ASSIGN_OR_RETURN(const ::v1::ListPodResourcesResponse answer, List(client, environment));
    for (const ::v1::PodResources& pod : answer.pod_resources()) AddRows(pod, &rows);
    return Print(answer, headings, rows, options, environment);
  }
  if (options.call == "get") {
    ASSIGN_OR_RETURN(const ObjectName name,
                     ParseObjectName("pod", {.text = options.pod, .namespace_name = options.namespace_name}));
    ASSIGN_OR_RETURN(const ::v1::GetPodResourcesResponse answer, client.Get(name.namespace_name, name.name));
    AddRows(answer.pod_resources(), &rows);
    return Print(answer, headings, rows, options, environment);
  }
  ASSIGN_OR_RETURN(const ::v1::AllocatableResourcesResponse answer, client.Allocatable());
  for (const ::v1::ContainerDevices& devices : answer.devices()) {
    rows.push_back({devices.resource_name(), absl::StrJoin(devices.device_ids(), ","), NodesOf(devices)});
  }
  return Print(answer, {"RESOURCE", "DEVICES", "NUMA"}, rows, options, environment);
}

absl::StatusOr<std::string> SocketPath(const PodresOptions& options, const ToolEnvironment& environment) {
  if (!options.endpoint.empty()) return SocketPathOf(options.endpoint, environment);
  ASSIGN_OR_RETURN(const std::string root, RootFolder({.root_dir = options.root_dir}, environment));
  return JoinPath(root, kSocket);
}

absl::Status Unserved(const std::string& call, const std::string& path) {
  return absl::UnavailableError(
      absl::StrCat(Printable(path), " does not serve ", call, " of the podresources API v1",
                   call == "list" ? "; cmctl plugin probe says what it is"
                                  : ", which it needs: kubelets have allocatable since 1.21 and get since 1.27"));
}

absl::Status Explained(const absl::Status& error, const std::string& call, const std::string& path) {
  if (absl::IsUnavailable(error)) {
    return absl::UnavailableError(absl::StrCat("no kubelet and no kubelet_cm answers at ", Printable(path),
                                               ": say where the podresources socket is with --endpoint"));
  }
  if (absl::IsUnimplemented(error)) return Unserved(call, path);
  // Kubelets tell of a pod that is not there by words alone.
  if (absl::IsUnknown(error) && error.message().find("not found") != std::string::npos) {
    return absl::NotFoundError(error.message());
  }
  return error;
}

}  // namespace

int RunPodres(const PodresOptions& options, const ToolEnvironment& environment) {
  const absl::StatusOr<std::string> path = SocketPath(options, environment);
  if (!path.ok()) return Complain(environment, "", path.status());
  const absl::StatusOr<FileStat> stat = environment.file_system.Stat(*path);
  absl::Status status = stat.status();
  if (absl::IsNotFound(status)) status = absl::UnavailableError("");
  if (status.ok()) {
    const absl::StatusOr<std::unique_ptr<PodResourcesClient>> client = environment.node->PodResources(*path);
    status = client.ok() ? Ask(**client, options, environment) : client.status();
  }
  return status.ok() ? kOk : Complain(environment, "", Explained(status, options.call, *path));
}

}  // namespace kubelet_cm::cmctl
