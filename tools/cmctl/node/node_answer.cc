#include "tools/cmctl/node/node_answer.h"

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "tools/cmctl/node/node_names.h"

namespace kubelet_cm::cmctl {
namespace {

template <typename Repeated, typename Predicate>
void KeepOnly(Repeated* items, Predicate wanted) {
  Repeated kept;
  for (auto& item : *items) {
    if (wanted(item)) kept.Add(std::move(item));
  }
  items->Swap(&kept);
}

absl::Status NoSuch(const std::string& what, const std::string& name) {
  return absl::NotFoundError(absl::StrCat("no ", what, " ", name, " is known"));
}

// Leaves the devices of the resource, or the one device, of that name.
void KeepDevices(const std::string& name, v1::NodeResourcesResponse* answer) {
  for (v1::NodeResourcesResponse::Resource& resource : *answer->mutable_resources()) {
    if (Means(name, "resource", resource.name())) continue;
    KeepOnly(resource.mutable_devices(),
             [&](const auto& device) { return Means(name, "device", DeviceId(resource.name(), device.id())); });
  }
}

bool IsPlugin(const std::string& name, const v1::ListPluginsResponse::Plugin& plugin) {
  return Means(name, "plugin", PluginId(plugin)) || Means(name, "endpoint", plugin.endpoint()) || name == plugin.name();
}

absl::StatusOr<NodeAnswer> AskPods(ControlClient& daemon, const NodeQuestion& question, absl::Time now) {
  ASSIGN_OR_RETURN(v1::ListPodsResponse answer, daemon.ListPods());
  if (!question.name.empty()) {
    ASSIGN_OR_RETURN(std::vector<v1::PodView> found,
                     FindPods(answer, {.text = question.name, .namespace_name = question.namespace_name}));
    answer.clear_pods();
    for (v1::PodView& pod : found) *answer.add_pods() = std::move(pod);
  }
  Listing listing = ListPods(answer, question.wide, now);
  return NodeAnswer{std::move(listing), std::make_shared<v1::ListPodsResponse>(std::move(answer))};
}

absl::StatusOr<NodeAnswer> AskResources(ControlClient& daemon, const NodeQuestion& question) {
  ASSIGN_OR_RETURN(v1::NodeResourcesResponse answer, daemon.NodeResources());
  if (!question.name.empty()) {
    if (question.kind == "devices") KeepDevices(question.name, &answer);
    KeepOnly(answer.mutable_resources(), [&](const auto& resource) {
      return Means(question.name, "resource", resource.name()) ||
             (question.kind == "devices" && !resource.devices().empty());
    });
    if (answer.resources().empty())
      return NoSuch(question.kind == "devices" ? "resource or device" : "resource", question.name);
  }
  Listing listing =
      question.kind == "devices" ? ListDevices(answer, question.wide) : ListResources(answer, question.wide);
  return NodeAnswer{std::move(listing), std::make_shared<v1::NodeResourcesResponse>(std::move(answer))};
}

absl::StatusOr<NodeAnswer> AskPlugins(ControlClient& daemon, const NodeQuestion& question) {
  ASSIGN_OR_RETURN(v1::ListPluginsResponse answer, daemon.ListPlugins());
  const bool endpoints = question.kind == "endpoints";
  if (endpoints) KeepOnly(answer.mutable_plugins(), [](const auto& plugin) { return !plugin.endpoint().empty(); });
  if (!question.name.empty()) {
    KeepOnly(answer.mutable_plugins(), [&](const auto& plugin) { return IsPlugin(question.name, plugin); });
    if (answer.plugins().empty()) return NoSuch(endpoints ? "endpoint" : "plugin", question.name);
  }
  Listing listing = endpoints ? ListEndpoints(answer, question.wide) : ListPlugins(answer, question.wide);
  return NodeAnswer{std::move(listing), std::make_shared<v1::ListPluginsResponse>(std::move(answer))};
}

absl::StatusOr<NodeAnswer> AskClaims(ControlClient& daemon, const NodeQuestion& question) {
  ASSIGN_OR_RETURN(v1::ListClaimsResponse answer, daemon.ListClaims());
  if (!question.name.empty()) {
    ASSIGN_OR_RETURN(std::vector<v1::ListClaimsResponse::Claim> found,
                     FindClaims(answer, {.text = question.name, .namespace_name = question.namespace_name}));
    answer.clear_claims();
    for (v1::ListClaimsResponse::Claim& claim : found) *answer.add_claims() = std::move(claim);
  }
  Listing listing = ListClaims(answer, question.wide);
  return NodeAnswer{std::move(listing), std::make_shared<v1::ListClaimsResponse>(std::move(answer))};
}

}  // namespace

absl::StatusOr<NodeAnswer> AskNode(ControlClient& daemon, const NodeQuestion& question, absl::Time now) {
  if (question.kind == "pods") return AskPods(daemon, question, now);
  if (question.kind == "devices" || question.kind == "resources") return AskResources(daemon, question);
  if (question.kind == "plugins" || question.kind == "endpoints") return AskPlugins(daemon, question);
  return AskClaims(daemon, question);
}

}  // namespace kubelet_cm::cmctl
