#include "kubelet_cm/control/explanation.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace kubelet_cm {
namespace {

using ::kubeletcm::v1::ExplainResponse;
using ::kubeletcm::v1::ListClaimsResponse;
using ::kubeletcm::v1::ListPluginsResponse;
using ::kubeletcm::v1::NodeResourcesResponse;
using ::kubeletcm::v1::PodReference;
using ::kubeletcm::v1::PodView;

constexpr char kOk[] = "ok";
constexpr char kNote[] = "note";
constexpr char kProblem[] = "problem";

void Add(ExplainResponse* response, const char* level, std::string text, std::string advice = "") {
  ExplainResponse::Finding& finding = *response->add_findings();
  finding.set_level(level);
  finding.set_text(std::move(text));
  finding.set_advice(std::move(advice));
}

std::string NameOf(const PodReference& pod) {
  return pod.name().empty() ? absl::StrCat("uid ", pod.uid()) : absl::StrCat(pod.namespace_(), "/", pod.name());
}

std::string Quantity(int64_t count, std::string_view one, std::string_view many) {
  return absl::StrCat(count, " ", std::string(count == 1 ? one : many));
}

const NodeResourcesResponse::Resource* FindResource(const NodePicture& node, const std::string& name) {
  for (const NodeResourcesResponse::Resource& resource : node.resources.resources()) {
    if (resource.name() == name) return &resource;
  }
  return nullptr;
}

// As far as that is known: kubelets until 1.33 connect when they call.
bool IsDriverConnected(const NodePicture& node, const std::string& driver) {
  const auto& plugins = node.plugins.plugins();
  return std::any_of(plugins.begin(), plugins.end(), [&driver](const ListPluginsResponse::Plugin& plugin) {
    return plugin.type() == "DRAPlugin" && plugin.name() == driver &&
           (plugin.state() == "connected" || plugin.state() == "registered");
  });
}

// Pods that hold a device of it; sorted, each once.
std::vector<std::string> HoldersOf(const NodeResourcesResponse::Resource& resource) {
  absl::btree_set<std::string> holders;
  for (const NodeResourcesResponse::Device& device : resource.devices()) {
    for (const NodeResourcesResponse::Holder& holder : device.holders()) holders.insert(NameOf(holder.pod()));
  }
  return {holders.begin(), holders.end()};
}

std::vector<std::string> UnhealthyIn(const NodeResourcesResponse::Resource& resource) {
  std::vector<std::string> ids;
  for (const NodeResourcesResponse::Device& device : resource.devices()) {
    if (device.health() != "Healthy") ids.push_back(absl::StrCat(device.id(), " (", device.health(), ")"));
  }
  return ids;
}

void ExplainCounts(const NodeResourcesResponse::Resource& resource, ExplainResponse* response) {
  if (!resource.connected()) {
    Add(response, kProblem, absl::StrCat("no plugin is connected for ", resource.name()),
        "start its plugin, or look at its log: it has to register at device-plugins/kubelet.sock again");
  }
  const std::vector<std::string> unhealthy = UnhealthyIn(resource);
  if (resource.connected() && !unhealthy.empty()) {
    Add(response, kProblem,
        absl::StrCat(Quantity(static_cast<int64_t>(unhealthy.size()), "device is", "devices are"),
                     " not healthy: ", absl::StrJoin(unhealthy, ", ")),
        "ask the plugin why: health is what it says");
  }
  const std::vector<std::string> holders = HoldersOf(resource);
  if (!holders.empty()) {
    Add(response, kNote, absl::StrCat("held by ", absl::StrJoin(holders, ", ")));
  }
  if (resource.connected() && resource.allocated() >= resource.allocatable() && resource.allocatable() > 0) {
    Add(response, kProblem, absl::StrCat("all ", resource.allocatable(), " healthy devices are held"),
        "remove one of the pods that hold them");
  }
}

void ExplainRefusal(const NodePicture& node, const PodView& pod, ExplainResponse* response) {
  Add(response, kProblem, absl::StrCat(pod.reason(), ": ", pod.message()));
  for (const NodeResourcesResponse::Resource& resource : node.resources.resources()) {
    // Upstream's texts name the resource in the middle of them.
    if (absl::StrContains(pod.message(), resource.name())) ExplainCounts(resource, response);
  }
  if (pod.reason() == "TopologyAffinityError") {
    Add(response, kNote, "no way to take its devices satisfies the topology policy",
        "see the devices' NUMA nodes in `cmctl get devices -o wide`, or set another --topology-manager-policy");
  }
}

void ExplainHealth(const PodView& pod, ExplainResponse* response) {
  for (const auto& container : pod.containers()) {
    for (const auto& status : container.allocated_resources_status()) {
      for (const auto& device : status.resources()) {
        if (device.health() == "Healthy") continue;
        std::string text = absl::StrCat("container ", container.name(), ": ", status.name(), " ", device.resource_id(),
                                        " is ", device.health());
        if (!device.message().empty()) absl::StrAppend(&text, ": ", device.message());
        Add(response, kProblem, std::move(text));
      }
    }
  }
}

void ExplainDrivers(const NodePicture& node, const ListClaimsResponse::Claim& claim, ExplainResponse* response) {
  for (const ListClaimsResponse::Driver& driver : claim.drivers()) {
    if (!IsDriverConnected(node, driver.name())) {
      Add(response, kProblem,
          absl::StrCat("driver ", driver.name(), " of claim ", claim.namespace_(), "/", claim.name(),
                       " is not connected"),
          "start the driver: it has to put its registration socket into plugins_registry");
    } else if (!driver.prepared()) {
      Add(response, kNote,
          absl::StrCat("driver ", driver.name(), " has not prepared claim ", claim.namespace_(), "/", claim.name()));
    }
  }
}

void ExplainStuck(const ListClaimsResponse::Claim& claim, ExplainResponse* response) {
  if (claim.stuck().empty()) return;
  Add(response, kProblem,
      absl::StrCat("claim ", claim.namespace_(), "/", claim.name(), " cannot be unprepared: ", claim.stuck()),
      absl::StrCat("it is tried again by itself; when the driver never comes back: cmctl claim forget ",
                   claim.namespace_(), "/", claim.name()));
}

bool LacksDevices(const PodView& pod) {
  return std::any_of(pod.containers().begin(), pod.containers().end(),
                     [](const auto& container) { return !container.without().empty(); });
}

void ExplainWhatItLacks(const PodView& pod, ExplainResponse* response) {
  for (const auto& container : pod.containers()) {
    for (const std::string& resource : container.without()) {
      Add(response, kProblem,
          absl::StrCat("container ", container.name(), " has no ", resource,
                       ": nobody had registered it when the pod was admitted"),
          absl::StrCat("start its plugin, then delete the pod and admit it again: cmctl delete pod ",
                       NameOf(pod.pod())));
    }
  }
}

std::string PodSummary(const PodView& pod) {
  const std::string name = NameOf(pod.pod());
  switch (pod.state()) {
    case ::kubeletcm::v1::POD_STATE_REFUSED:
      return absl::StrCat("pod ", name, " was refused");
    case ::kubeletcm::v1::POD_STATE_ADMITTING:
      return absl::StrCat("pod ", name, " waits for its plugins");
    case ::kubeletcm::v1::POD_STATE_ADMITTED:
      return absl::StrCat("pod ", name,
                          LacksDevices(pod) ? " was admitted without all its devices" : " has its devices",
                          pod.reason().empty() ? "" : ", but not its claims");
    case ::kubeletcm::v1::POD_STATE_PREPARED:
      return absl::StrCat(
          "pod ", name,
          LacksDevices(pod) ? " has its claims, but not all its devices" : " has its devices and its claims");
    case ::kubeletcm::v1::POD_STATE_TERMINATING:
      return absl::StrCat("pod ", name, " is on its way out");
    case ::kubeletcm::v1::POD_STATE_RESTORED:
      return absl::StrCat("pod ", name, " was restored, and has to be admitted again");
    default:
      return absl::StrCat("pod ", name);
  }
}

void SayIfFine(ExplainResponse* response, const char* text) {
  for (const ExplainResponse::Finding& finding : response->findings()) {
    if (finding.level() == kProblem) return;
  }
  Add(response, kOk, text);
}

}  // namespace

ExplainResponse ExplainPod(const NodePicture& node, const PodView& pod) {
  ExplainResponse response;
  response.set_summary(PodSummary(pod));
  if (pod.state() == ::kubeletcm::v1::POD_STATE_REFUSED) {
    ExplainRefusal(node, pod, &response);
  } else if (!pod.reason().empty()) {
    Add(&response, kProblem, absl::StrCat(pod.reason(), ": ", pod.message()));
  }
  for (const ListClaimsResponse::Claim& claim : node.claims.claims()) {
    bool references = false;
    for (const PodReference& user : claim.pods()) references |= user.uid() == pod.pod().uid();
    if (!references) continue;
    ExplainDrivers(node, claim, &response);
    ExplainStuck(claim, &response);
  }
  if (pod.state() == ::kubeletcm::v1::POD_STATE_RESTORED) {
    Add(&response, kNote, "it keeps what it holds until then",
        absl::StrCat("admit it again, or let go of it: cmctl delete pod ", pod.pod().uid()));
  }
  ExplainWhatItLacks(pod, &response);
  ExplainHealth(pod, &response);
  SayIfFine(&response, "nothing stands in its way");
  return response;
}

ExplainResponse ExplainClaim(const NodePicture& node, const ListClaimsResponse::Claim& claim) {
  ExplainResponse response;
  response.set_summary(absl::StrCat("claim ", claim.namespace_(), "/", claim.name(), " is ", claim.state()));
  std::vector<std::string> users;
  for (const PodReference& pod : claim.pods()) users.push_back(NameOf(pod));
  Add(&response, kNote,
      users.empty() ? "no pod uses it any more" : absl::StrCat("used by ", absl::StrJoin(users, ", ")));
  ExplainDrivers(node, claim, &response);
  ExplainStuck(claim, &response);
  SayIfFine(&response, "nothing stands in its way");
  return response;
}

ExplainResponse ExplainResource(const NodePicture& node, const std::string& resource) {
  ExplainResponse response;
  const NodeResourcesResponse::Resource* const known = FindResource(node, resource);
  if (known == nullptr) {
    response.set_summary(absl::StrCat("no plugin has registered ", resource));
    Add(&response, kProblem, "pods that ask for it are admitted without a device, as a kubelet does it",
        "start its plugin: it registers at device-plugins/kubelet.sock, or through a socket in plugins_registry");
    return response;
  }
  response.set_summary(absl::StrCat(resource, ": ", known->allocated(), " of ", known->allocatable(),
                                    " healthy devices are held, ", known->capacity(), " in all"));
  ExplainCounts(*known, &response);
  SayIfFine(&response, "nothing stands in its way");
  return response;
}

}  // namespace kubelet_cm
