#include "tools/cmctl/node/description.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cmctl/checkpoint/terminal_text.h"
#include "tools/cmctl/node/node_names.h"

namespace kubelet_cm::cmctl {
namespace {

using ::kubeletcm::v1::ContainerView;
using ::kubeletcm::v1::ListClaimsResponse;
using ::kubeletcm::v1::ListPluginsResponse;
using ::kubeletcm::v1::NodeResourcesResponse;
using ::kubeletcm::v1::PodReference;
using ::kubeletcm::v1::PodView;

constexpr size_t kColumn = 14;

// "Name:         value", indented; nothing for an empty value.
void AddField(std::string_view name, const std::string& value, std::string* text, size_t indent = 0) {
  if (value.empty()) return;
  const std::string label = absl::StrCat(std::string(name), ":");
  absl::StrAppend(text, std::string(indent, ' '), label,
                  std::string(std::max<size_t>(1, kColumn - std::min(kColumn, label.size())), ' '), Printable(value),
                  "\n");
}

std::string Nodes(const google::protobuf::RepeatedField<int64_t>& nodes) {
  return nodes.empty() ? "" : absl::StrCat(" (NUMA ", absl::StrJoin(nodes, ","), ")");
}

void AddContainer(const ContainerView& container, std::string* text) {
  absl::StrAppend(text, "  ", Printable(container.name()), " (", Printable(container.kind()),
                  container.running() ? ", running" : "", ")\n");
  for (const auto& device : container.devices()) {
    AddField("device", absl::StrCat(device.resource(), " ", device.device_id(), Nodes(device.numa_nodes())), text, 4);
  }
  for (const std::string& resource : container.without()) AddField("without", resource, text, 4);
  for (const std::string& claim : container.claims()) AddField("claim", claim, text, 4);
  for (const auto& status : container.allocated_resources_status()) {
    for (const auto& device : status.resources()) {
      AddField("health",
               absl::StrCat(status.name(), " ", device.resource_id(), " ", device.health(),
                            device.message().empty() ? "" : ": ", device.message()),
               text, 4);
    }
  }
}

}  // namespace

std::string DescribePod(const PodView& pod, absl::Time now) {
  std::string text;
  AddField("Name", pod.pod().name(), &text);
  AddField("Namespace", pod.pod().namespace_(), &text);
  AddField("UID", pod.pod().uid(), &text);
  AddField("State", StateText(pod.state()), &text);
  if (pod.since_unix_nanos() > 0) {
    AddField("Since", absl::StrCat(TimeText(pod.since_unix_nanos()), " (", AgeText(pod.since_unix_nanos(), now), ")"),
             &text);
  }
  AddField("Source", pod.source(), &text);
  AddField("Reason", pod.reason(), &text);
  AddField("Message", pod.message(), &text);
  AddField("Claims", absl::StrJoin(pod.claims(), ", "), &text);
  if (!pod.containers().empty()) text += "Containers:\n";
  for (const ContainerView& container : pod.containers()) AddContainer(container, &text);
  return text;
}

std::string DescribeClaim(const ListClaimsResponse::Claim& claim) {
  std::string text;
  AddField("Name", claim.name(), &text);
  AddField("Namespace", claim.namespace_(), &text);
  AddField("UID", claim.uid(), &text);
  AddField("State", claim.state(), &text);
  AddField("Stuck", claim.stuck(), &text);
  std::vector<std::string> pods;
  for (const PodReference& pod : claim.pods()) pods.push_back(PodText(pod));
  AddField("Pods", absl::StrJoin(pods, ", "), &text);
  if (!claim.drivers().empty()) text += "Drivers:\n";
  for (const ListClaimsResponse::Driver& driver : claim.drivers()) {
    absl::StrAppend(&text, "  ", Printable(driver.name()), driver.prepared() ? " (prepared)\n" : " (not prepared)\n");
    for (const ListClaimsResponse::Device& device : driver.devices()) {
      std::string line = absl::StrCat(device.pool(), "/", device.device());
      if (!device.requests().empty()) absl::StrAppend(&line, " for ", absl::StrJoin(device.requests(), ","));
      if (!device.cdi_devices().empty()) absl::StrAppend(&line, " as ", absl::StrJoin(device.cdi_devices(), ","));
      AddField("device", line, &text, 4);
    }
  }
  return text;
}

std::string DescribeResource(const NodeResourcesResponse::Resource& resource) {
  std::string text;
  AddField("Name", resource.name(), &text);
  AddField("Plugin", resource.connected() ? "Connected" : "Disconnected", &text);
  AddField("Capacity", absl::StrCat(resource.capacity()), &text);
  AddField("Allocatable", absl::StrCat(resource.allocatable()), &text);
  AddField("Allocated", absl::StrCat(resource.allocated()), &text);
  if (!resource.devices().empty()) text += "Devices:\n";
  for (const NodeResourcesResponse::Device& device : resource.devices()) {
    std::vector<std::string> holders;
    for (const auto& holder : device.holders()) {
      holders.push_back(absl::StrCat("container ", holder.container(), " of pod ", PodText(holder.pod())));
    }
    absl::StrAppend(&text, "  ",
                    Printable(absl::StrCat(device.id(), ": ", device.health(), Nodes(device.numa_nodes()),
                                           holders.empty() ? ", free" : ", held by ", absl::StrJoin(holders, ", "))),
                    "\n");
  }
  return text;
}

std::string DescribePlugin(const ListPluginsResponse::Plugin& plugin) {
  std::string text;
  AddField("Name", plugin.name(), &text);
  AddField("Type", plugin.type(), &text);
  AddField("State", plugin.state(), &text);
  AddField("Message", plugin.message(), &text);
  AddField("Endpoint", plugin.endpoint(), &text);
  AddField("Primary", plugin.primary() ? "yes" : "no", &text);
  AddField("Versions", absl::StrJoin(plugin.versions(), ", "), &text);
  AddField("Registered", plugin.registration_socket().empty() ? "by itself" : "through " + plugin.registration_socket(),
           &text);
  return text;
}

}  // namespace kubelet_cm::cmctl
