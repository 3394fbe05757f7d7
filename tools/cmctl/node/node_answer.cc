#include "tools/cmctl/node/node_answer.h"

#include <utility>

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

absl::StatusOr<NodeAnswer> AskPods(ControlClient& daemon, const NodeQuestion& question, absl::Time now) {
  ASSIGN_OR_RETURN(v1::ListPodsResponse answer, daemon.ListPods());
  if (!question.name.empty()) {
    ASSIGN_OR_RETURN(v1::PodView found, FindPod(answer, question.name, question.namespace_name));
    answer.clear_pods();
    *answer.add_pods() = std::move(found);
  }
  Listing listing = ListPods(answer, question.wide, now);
  return NodeAnswer{std::move(listing), std::make_shared<v1::ListPodsResponse>(std::move(answer))};
}

absl::StatusOr<NodeAnswer> AskResources(ControlClient& daemon, const NodeQuestion& question) {
  ASSIGN_OR_RETURN(v1::NodeResourcesResponse answer, daemon.NodeResources());
  if (!question.name.empty()) {
    KeepOnly(answer.mutable_resources(), [&](const auto& resource) { return resource.name() == question.name; });
    if (answer.resources().empty()) return NoSuch("resource", question.name);
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
    KeepOnly(answer.mutable_plugins(),
             [&](const auto& plugin) { return plugin.name() == question.name || plugin.endpoint() == question.name; });
    if (answer.plugins().empty()) return NoSuch(endpoints ? "endpoint" : "plugin", question.name);
  }
  Listing listing = endpoints ? ListEndpoints(answer, question.wide) : ListPlugins(answer, question.wide);
  return NodeAnswer{std::move(listing), std::make_shared<v1::ListPluginsResponse>(std::move(answer))};
}

absl::StatusOr<NodeAnswer> AskClaims(ControlClient& daemon, const NodeQuestion& question) {
  ASSIGN_OR_RETURN(v1::ListClaimsResponse answer, daemon.ListClaims());
  if (!question.name.empty()) {
    ASSIGN_OR_RETURN(const ObjectName wanted, ParseObjectName(question.name, question.namespace_name));
    KeepOnly(answer.mutable_claims(), [&](const auto& claim) {
      return claim.namespace_() == wanted.namespace_name && claim.name() == wanted.name;
    });
    if (answer.claims().empty()) return NoSuch("claim", absl::StrCat(wanted.namespace_name, "/", wanted.name));
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
