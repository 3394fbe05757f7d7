#include "tools/cmctl/node/node_listing.h"

#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/cmctl/node/node_names.h"

namespace kubelet_cm::cmctl {
namespace {

using ::kubeletcm::v1::Event;
using ::kubeletcm::v1::ListClaimsResponse;
using ::kubeletcm::v1::ListPluginsResponse;
using ::kubeletcm::v1::ListPodsResponse;
using ::kubeletcm::v1::NodeResourcesResponse;
using ::kubeletcm::v1::PodReference;
using ::kubeletcm::v1::PodView;

using Cells = std::vector<std::string>;

// Adds the columns of -o wide.
void Append(bool wide, Cells extra, Cells* cells) {
  if (!wide) return;
  for (std::string& cell : extra) cells->push_back(std::move(cell));
}

// "example.com/gpu=2,example.com/nic=1": what the pod's containers hold, each device once.
std::string DevicesOf(const PodView& pod) {
  std::map<std::string, std::map<std::string, bool>> ids;
  for (const auto& container : pod.containers()) {
    for (const auto& device : container.devices()) ids[device.resource()][device.device_id()] = true;
  }
  Cells counts;
  for (const auto& [resource, held] : ids) counts.push_back(absl::StrCat(resource, "=", held.size()));
  return absl::StrJoin(counts, ",");
}

std::string HoldersOf(const NodeResourcesResponse::Device& device, bool uids) {
  Cells holders;
  for (const NodeResourcesResponse::Holder& holder : device.holders()) {
    holders.push_back(absl::StrCat(uids ? holder.pod().uid() : PodText(holder.pod()), ":", holder.container()));
  }
  return absl::StrJoin(holders, ",");
}

std::string PodsOf(const google::protobuf::RepeatedPtrField<PodReference>& pods) {
  Cells names;
  for (const PodReference& pod : pods) names.push_back(PodText(pod));
  return absl::StrJoin(names, ",");
}

std::string DriversOf(const ListClaimsResponse::Claim& claim) {
  Cells drivers;
  for (const ListClaimsResponse::Driver& driver : claim.drivers()) drivers.push_back(driver.name());
  return absl::StrJoin(drivers, ",");
}

std::string DevicesOf(const ListClaimsResponse::Claim& claim) {
  Cells devices;
  for (const ListClaimsResponse::Driver& driver : claim.drivers()) {
    for (const auto& device : driver.devices()) devices.push_back(absl::StrCat(device.pool(), "/", device.device()));
  }
  return absl::StrJoin(devices, ",");
}

std::string YesNo(bool yes) { return yes ? "yes" : "no"; }

}  // namespace

Listing ListPods(const ListPodsResponse& answer, bool wide, absl::Time now) {
  Listing listing{.headings = {"NAMESPACE", "NAME", "STATE", "REASON", "DEVICES", "CLAIMS", "AGE"},
                  .state_column = 2,
                  .age_column = 6};
  Append(wide, {"SOURCE", "UID", "MESSAGE"}, &listing.headings);
  std::map<std::string, int> same_name;
  for (const PodView& view : answer.pods()) ++same_name[PodText(view.pod())];
  for (const PodView& view : answer.pods()) {
    // A pod that goes and the one that comes in its place are told apart by their uids.
    const std::string name = PodText(view.pod());
    ListedItem& item = listing.items.emplace_back(
        ListedItem{.name = KindName("pod", same_name[name] == 1 ? name : view.pod().uid()),
                   .cells = {view.pod().namespace_(), view.pod().name().empty() ? view.pod().uid() : view.pod().name(),
                             StateText(view.state()), view.reason(), DevicesOf(view), absl::StrJoin(view.claims(), ","),
                             AgeText(view.since_unix_nanos(), now)}});
    Append(wide, {view.source(), view.pod().uid(), view.message()}, &item.cells);
  }
  return listing;
}

Listing ListDevices(const NodeResourcesResponse& answer, bool wide) {
  Listing listing{.headings = {"RESOURCE", "DEVICE", "HEALTH", "NUMA", "HELD BY"}, .state_column = 2};
  Append(wide, {"HOLDER UID"}, &listing.headings);
  for (const NodeResourcesResponse::Resource& resource : answer.resources()) {
    for (const NodeResourcesResponse::Device& device : resource.devices()) {
      ListedItem& item = listing.items.emplace_back(
          ListedItem{.name = KindName("device", DeviceId(resource.name(), device.id())),
                     .cells = {resource.name(), device.id(), device.health(), absl::StrJoin(device.numa_nodes(), ","),
                               HoldersOf(device, false)}});
      Append(wide, {HoldersOf(device, true)}, &item.cells);
    }
  }
  return listing;
}

Listing ListResources(const NodeResourcesResponse& answer, bool wide) {
  Listing listing{.headings = {"NAME", "CAPACITY", "ALLOCATABLE", "ALLOCATED", "PLUGIN"}, .state_column = 4};
  Append(wide, {"HELD BY"}, &listing.headings);
  for (const NodeResourcesResponse::Resource& resource : answer.resources()) {
    ListedItem& item = listing.items.emplace_back(
        ListedItem{.name = KindName("resource", resource.name()),
                   .cells = {resource.name(), absl::StrCat(resource.capacity()), absl::StrCat(resource.allocatable()),
                             absl::StrCat(resource.allocated()), resource.connected() ? "Connected" : "Disconnected"}});
    std::map<std::string, bool> holders;
    for (const auto& device : resource.devices()) {
      for (const auto& holder : device.holders()) holders[PodText(holder.pod())] = true;
    }
    Cells names;
    for (const auto& [name, held] : holders) names.push_back(name);
    Append(wide, {absl::StrJoin(names, ",")}, &item.cells);
  }
  return listing;
}

Listing ListPlugins(const ListPluginsResponse& answer, bool wide) {
  Listing listing{.headings = {"NAME", "TYPE", "STATE", "VERSIONS", "MESSAGE"}, .state_column = 2};
  Append(wide, {"ENDPOINT", "PRIMARY", "REGISTRATION SOCKET"}, &listing.headings);
  for (const ListPluginsResponse::Plugin& plugin : answer.plugins()) {
    ListedItem& item =
        listing.items.emplace_back(ListedItem{.name = KindName("plugin", PluginId(plugin)),
                                              .cells = {plugin.name(), plugin.type(), plugin.state(),
                                                        absl::StrJoin(plugin.versions(), ","), plugin.message()}});
    Append(wide, {plugin.endpoint(), YesNo(plugin.primary()), plugin.registration_socket()}, &item.cells);
  }
  return listing;
}

Listing ListEndpoints(const ListPluginsResponse& answer, bool wide) {
  Listing listing{.headings = {"ENDPOINT", "TYPE", "NAME", "STATE", "PRIMARY"}, .state_column = 3};
  Append(wide, {"VERSIONS", "REGISTRATION SOCKET", "MESSAGE"}, &listing.headings);
  for (const ListPluginsResponse::Plugin& plugin : answer.plugins()) {
    if (plugin.endpoint().empty()) continue;
    ListedItem& item = listing.items.emplace_back(ListedItem{
        .name = KindName("endpoint", plugin.endpoint()),
        .cells = {plugin.endpoint(), plugin.type(), plugin.name(), plugin.state(), YesNo(plugin.primary())}});
    Append(wide, {absl::StrJoin(plugin.versions(), ","), plugin.registration_socket(), plugin.message()}, &item.cells);
  }
  return listing;
}

Listing ListClaims(const ListClaimsResponse& answer, bool wide) {
  Listing listing{.headings = {"NAMESPACE", "NAME", "STATE", "DRIVERS", "PODS", "STUCK"}, .state_column = 2};
  Append(wide, {"DEVICES", "UID"}, &listing.headings);
  for (const ListClaimsResponse::Claim& claim : answer.claims()) {
    ListedItem& item = listing.items.emplace_back(
        ListedItem{.name = KindName("claim", absl::StrCat(claim.namespace_(), "/", claim.name())),
                   .cells = {claim.namespace_(), claim.name(), claim.state(), DriversOf(claim), PodsOf(claim.pods()),
                             claim.stuck()}});
    Append(wide, {DevicesOf(claim), claim.uid()}, &item.cells);
  }
  return listing;
}

Listing ListEvents(const std::vector<Event>& events, bool wide) {
  Listing listing{.headings = {"TIME", "KIND", "SUBJECT", "MESSAGE"}};
  Append(wide, {"NUMBER", "DETAILS"}, &listing.headings);
  for (const Event& event : events) {
    ListedItem& item = listing.items.emplace_back(
        ListedItem{.name = absl::StrCat("event/", event.number()),
                   .cells = {TimeText(event.unix_nanos()), event.kind(), event.subject(), event.message()}});
    const std::map<std::string, std::string> details(event.details().begin(), event.details().end());
    Append(wide, {absl::StrCat(event.number()), absl::StrJoin(details, ",", absl::PairFormatter("="))}, &item.cells);
  }
  return listing;
}

}  // namespace kubelet_cm::cmctl
