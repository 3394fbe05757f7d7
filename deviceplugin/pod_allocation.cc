#include "deviceplugin/pod_allocation.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/gotext/quote.h"
#include "common/status/check.h"
#include "common/status/errno_status.h"
#include "common/status/status_macros.h"
#include "deviceplugin/allocation/numa_filing.h"
#include "deviceplugin/checkpoint/device_decoder.h"
#include "deviceplugin/checkpoint/entry_size.h"
#include "deviceplugin/started_before.h"
#include "deviceplugin/topology/pod_requests.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"

namespace kubelet_cm::deviceplugin {
namespace {

std::vector<std::string> Without(std::vector<std::string> ids, const std::vector<std::string>& taken) {
  std::vector<std::string> rest;
  std::set_difference(ids.begin(), ids.end(), taken.begin(), taken.end(), std::back_inserter(rest));
  return rest;
}

// `chosen`, or if that was replaced before it has answered, perhaps by itself, the one in its place: once.
template <typename Response, typename Call>
absl::StatusOr<Response> AskPrimary(const AllocationParts& parts, const std::string& resource,
                                    const std::optional<PluginInstance>& chosen, Call call) {
  const std::shared_ptr<PluginEndpoint> plugin = chosen.has_value() ? parts.plugins.Find(chosen->id) : nullptr;
  absl::StatusOr<Response> answer = absl::UnavailableError(absl::StrCat("endpoint ", resource, " has been stopped"));
  if (plugin != nullptr) answer = call(*chosen, *plugin);
  if (answer.ok() || (plugin != nullptr && !plugin->stopped())) return answer;
  const auto next = parts.plugins.PrimaryOtherThan(resource, plugin.get());
  if (next.has_value()) answer = call(next->instance, *next->endpoint);
  return answer;
}

// Equal answers have equal bytes, in whatever order the plugin's maps come: the state file keeps them.
std::string Bytes(const v1beta1::ContainerAllocateResponse& answer) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  answer.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<PodAllocation>> PodAllocation::New(const AllocationParts& parts, const Pod& pod) {
  MutexLock lock(&parts.state.mu);
  if (!parts.state.allocating.insert(pod.uid).second) {
    return absl::AbortedError(absl::StrCat("devices are being allocated already for pod ", GoQuote(pod.uid)));
  }
  return std::unique_ptr<PodAllocation>(new PodAllocation(parts, pod));
}

PodAllocation::~PodAllocation() {
  {
    MutexLock lock(&parts_.state.mu);
    for (const ReservationId reservation : reservations_) parts_.state.ledger.Release(reservation);
    parts_.state.allocating.erase(pod_.uid);
  }
  // What was collected before this allocation, or taken back by it, is still to be written.
  if (!durable_) parts_.changed.Set();
}

absl::Status PodAllocation::Allocate(const Container& container, std::optional<NumaMask> affinity) {
  parts_.leftovers.Collect();
  ResourceAmounts requests;
  {
    MutexLock lock(&parts_.state.mu);
    requests = ContainerDeviceRequests(container, [&](std::string_view resource) {
      parts_.state.mu.AssertHeld();
      return parts_.state.IsDeviceResource(resource);
    });
  }
  for (const auto& [resource, count] : requests) {
    const std::string pod = pod_.LogName();
    parts_.log.V(3).Info(
        "Looking for needed resources",
        {{"resourceName", resource}, {"pod", pod}, {"containerName", container.name}, {"needed", count}});
    if (pod_.BackedByClaim(container.name, resource)) {
      parts_.log.V(3).Info("Skipping allocation for DRA-backed extended resource",
                           {{"resourceName", resource}, {"pod", pod}, {"containerName", container.name}});
      continue;
    }
    RETURN_IF_ERROR(AllocateResource({.pod_uid = pod_.uid, .container_name = container.name, .resource_name = resource},
                                     count, affinity));
  }
  return absl::OkStatus();
}

absl::Status PodAllocation::AllocateResource(const HolderKey& holder, int64_t count, std::optional<NumaMask> affinity) {
  Reserved reserved;
  const absl::Status reserving = Reserve(holder, count, affinity, reserved);
  LogNeed(holder, count, reserved, reserving);
  RETURN_IF_ERROR(reserving);
  if (reserved.need != AllocationNeed::kDevices) return absl::OkStatus();
  std::vector<std::string> ids = reserved.pick.ids;
  if (reserved.pick.question.has_value()) {
    ASSIGN_OR_RETURN(ids, AskPreferred(holder, reserved));
  }
  ASSIGN_OR_RETURN(std::string response, AskPlugin(holder, reserved, ids));
  Granted granted{.holder = holder,
                  .reservation = reserved.reservation,
                  .generation = reserved.generation,
                  .ids = std::move(ids),
                  .response = std::move(response)};
  MutexLock lock(&parts_.state.mu);
  RETURN_IF_ERROR(CheckStillHealthy(granted));
  granted_.push_back(std::move(granted));
  return absl::OkStatus();
}

absl::StatusOr<AllocationNeed> PodAllocation::CheckNeed(const HolderKey& holder, int64_t count, bool sources_ready,
                                                        const std::optional<std::vector<std::string>>& held) const {
  const std::string& resource = holder.resource_name;
  const AllocationQuestion question{.holder = holder,
                                    .requested = count,
                                    .held = held,
                                    .sources_ready = sources_ready,
                                    .container_running = StartedBefore(parts_.node_start, pod_, holder.container_name,
                                                                       parts_.rules.follows_init_containers),
                                    .resource_registered = parts_.state.inventory.Knows(resource),
                                    .healthy_count = parts_.state.inventory.HealthyCount(resource),
                                    .rules = parts_.rules.check};
  return CheckAllocation(question, [&](std::string_view id) {
    parts_.state.mu.AssertHeld();
    return parts_.state.inventory.IsHealthy(resource, id);
  });
}

absl::Status PodAllocation::Reserve(const HolderKey& holder, int64_t count, std::optional<NumaMask> affinity,
                                    Reserved& reserved) {
  const std::string& resource = holder.resource_name;
  const bool sources_ready = parts_.active_pods.SourcesReady();
  MutexLock lock(&parts_.state.mu);
  reserved.held = parts_.state.ledger.IdsOf(holder);
  ASSIGN_OR_RETURN(reserved.need, CheckNeed(holder, count, sources_ready, reserved.held));
  if (reserved.need != AllocationNeed::kDevices) return absl::OkStatus();
  const std::shared_ptr<const DeviceList> devices = parts_.state.inventory.SharedDevices(resource);
  reserved.plugin = parts_.state.inventory.Primary(resource);
  reserved.generation = parts_.state.inventory.generation(resource);
  reserved.request = {.resource_name = resource,
                      .count = count,
                      .reusable = parts_.state.Reusable(pod_, resource, holder.container_name, parts_.rules.sidecars),
                      // The list of a plugin that is gone still says what was healthy.
                      .available = parts_.state.inventory.HealthyCount(resource) == 0
                                       ? std::vector<CandidateDevice>()
                                       : parts_.state.ledger.Available(resource, devices),
                      .has_topology = devices->has_topology(),
                      .affinity = affinity,
                      .ask_preferred = parts_.rules.asks_preferred && reserved.plugin.has_value() &&
                                       reserved.plugin->get_preferred_allocation_available};
  ASSIGN_OR_RETURN(reserved.pick, StartPick(reserved.request));
  ASSIGN_OR_RETURN(reserved.reservation, parts_.state.ledger.Reserve(holder, reserved.pick.ids));
  reservations_.push_back(reserved.reservation);
  // They point into the list, which may be gone when they are looked at again.
  reserved.request.available.clear();
  return absl::OkStatus();
}

// In a kubelet's order, which is what people read who ask why a pod was refused.
void PodAllocation::LogNeed(const HolderKey& holder, int64_t count, const Reserved& reserved,
                            const absl::Status& reserving) const {
  const LogField resource{"resourceName", holder.resource_name};
  const LogField pod{"podUID", holder.pod_uid};
  const LogField container{"containerName", holder.container_name};
  Logger& log = parts_.log;
  int64_t needed = count;
  if (reserved.held.has_value()) {
    needed -= static_cast<int64_t>(reserved.held->size());
    log.V(3).Info("Found pre-allocated devices for resource on pod",
                  {resource, container, pod, {"devices", *reserved.held}});
    if (needed != 0) return;
  }
  const LogField number{"deviceNumber", needed};
  if (reserving.ok() && reserved.need == AllocationNeed::kNothingRunning) {
    log.V(3).Info("Container detected running, nothing to do", {number, resource, pod, container});
    return;
  }
  log.V(3).Info("Need devices to allocate for pod", {number, resource, pod, container});
  if (!reserving.ok()) return;
  if (reserved.need == AllocationNeed::kNothing) {
    log.V(3).Info("No devices needed, nothing to do", {number, resource, pod, container});
  } else if (!reserved.request.ask_preferred) {
    log.V(5).Info("Plugin options indicate to skip GetPreferredAllocation for resource", {resource, pod, container});
  }
}

absl::StatusOr<std::vector<std::string>> PodAllocation::AskPreferred(const HolderKey& holder, Reserved& reserved) {
  const std::string& resource = holder.resource_name;
  const PreferredQuestion& question = *reserved.pick.question;
  parts_.log.V(4).Info(
      "Issuing a GetPreferredAllocation call for container",
      {{"resourceName", resource}, {"containerName", holder.container_name}, {"podUID", holder.pod_uid}});
  const auto answer = AskPrimary<v1beta1::PreferredAllocationResponse>(
      parts_, resource, reserved.plugin, [&](const PluginInstance& instance, PluginEndpoint& plugin) {
        using Answer = absl::StatusOr<v1beta1::PreferredAllocationResponse>;
        if (!instance.get_preferred_allocation_available) return Answer(v1beta1::PreferredAllocationResponse());
        return plugin.GetPreferredAllocation(question.available, question.must_include,
                                             static_cast<int32_t>(question.size));
      });
  if (!answer.ok()) {
    return Reworded(answer.status(), absl::StrCat("device plugin GetPreferredAllocation rpc failed with err: ",
                                                  answer.status().message()));
  }
  std::vector<std::string> preferred;
  if (!answer->container_responses().empty()) {
    const auto& ids = answer->container_responses(0).deviceids();
    preferred.assign(ids.begin(), ids.end());
  }
  DeviceState& state = parts_.state;
  MutexLock lock(&state.mu);
  const std::shared_ptr<const DeviceList> devices = state.inventory.SharedDevices(resource);
  PickRequest request = reserved.request;
  if (devices != nullptr) {
    request.available = state.ledger.Available(resource, devices);
    request.has_topology = devices->has_topology();
  }
  ASSIGN_OR_RETURN(std::vector<std::string> ids, FinishPick(request, reserved.pick, preferred));
  RETURN_IF_ERROR(state.ledger.AddTo(reserved.reservation, Without(ids, reserved.pick.ids)));
  return ids;
}

absl::StatusOr<std::string> PodAllocation::AskPlugin(const HolderKey& holder, const Reserved& reserved,
                                                     const std::vector<std::string>& ids) {
  const std::string& resource = holder.resource_name;
  const MonotonicTime start = parts_.clock.MonotonicNow();
  parts_.log.V(4).Info("Making allocation request for device plugin", {{"devices", ids},
                                                                       {"resourceName", resource},
                                                                       {"pod", pod_.LogName()},
                                                                       {"containerName", holder.container_name}});
  const auto answer = AskPrimary<v1beta1::AllocateResponse>(
      parts_, resource, reserved.plugin,
      [&](const PluginInstance&, PluginEndpoint& plugin) { return plugin.Allocate(ids); });
  HistogramFamily duration = parts_.duration;
  duration.With({resource}).Observe(absl::ToDoubleSeconds(parts_.clock.MonotonicNow() - start));
  RETURN_IF_ERROR(answer.status());
  if (answer->container_responses().empty()) {
    // As Go prints it, which for an answer without containers is always this.
    return absl::InternalError(
        "no containers return in allocation response "
        "&AllocateResponse{ContainerResponses:[]*ContainerAllocateResponse{},}");
  }
  return Bytes(answer->container_responses(0));
}

absl::Status PodAllocation::CheckStillHealthy(const Granted& granted) const {
  const std::string& resource = granted.holder.resource_name;
  if (parts_.state.inventory.generation(resource) == granted.generation) return absl::OkStatus();
  std::vector<std::string> lost;
  for (const std::string& id : granted.ids) {
    if (!parts_.state.inventory.IsHealthy(resource, id)) lost.push_back(id);
  }
  if (lost.empty()) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat("devices [", absl::StrJoin(lost, " "),
                                             "] turned unhealthy or vanished while they were being allocated; "
                                             "cannot allocate unhealthy devices ",
                                             resource));
}

absl::StatusOr<DeviceEntry> PodAllocation::Filed(const Granted& granted) const {
  const std::shared_ptr<const DeviceList> devices = parts_.state.inventory.SharedDevices(granted.holder.resource_name);
  const auto nodes_of = [&](std::string_view id) -> std::optional<absl::Span<const int>> {
    const ListedDevice* device = devices->Find(id);
    if (device == nullptr) return std::nullopt;
    return device->numa_nodes;
  };
  DeviceEntry entry{.pod_uid = granted.holder.pod_uid,
                    .container_name = granted.holder.container_name,
                    .resource_name = granted.holder.resource_name,
                    .devices = FileByNumaNode(granted.ids, nodes_of, parts_.no_topology_key),
                    .alloc_response = granted.response};
  RETURN_IF_ERROR(CheckEntrySize(entry, parts_.state.limits.entry_bytes));
  return entry;
}

absl::Status PodAllocation::CommitToLedger(const std::vector<Granted>& granted) {
  if (parts_.state.ledger.entry_count() + granted.size() > kMaxDeviceEntries) {
    return absl::ResourceExhaustedError(
        absl::StrCat("there are more than ", kMaxDeviceEntries, " allocations; no more are taken"));
  }
  std::vector<DevicesPerNuma> filed;
  size_t bytes = parts_.state.ledger.entry_bytes() + parts_.state.inventory.id_bytes();
  for (const Granted& one : granted) {
    RETURN_IF_ERROR(CheckStillHealthy(one));
    ASSIGN_OR_RETURN(DeviceEntry entry, Filed(one));
    bytes += EntryBytesAtMost(entry);
    filed.push_back(*std::move(entry.devices));
  }
  if (bytes > parts_.state.limits.file_bytes) {
    return absl::ResourceExhaustedError(absl::StrCat("the allocations and devices of all pods would take ", bytes,
                                                     " bytes of the state file, more than ",
                                                     parts_.state.limits.file_bytes, "; no more are taken"));
  }
  for (size_t i = 0; i < granted.size(); ++i) {
    const absl::Status committed =
        parts_.state.ledger.Commit(granted[i].reservation, std::move(filed[i]), granted[i].response);
    CHECK(committed.ok()) << committed.ToString();
  }
  return absl::OkStatus();
}

absl::Status PodAllocation::Commit() {
  if (granted_.empty()) return absl::OkStatus();
  const std::vector<Granted> granted = std::exchange(granted_, {});
  uint64_t number = 0;
  {
    MutexLock lock(&parts_.state.mu);
    RETURN_IF_ERROR(CommitToLedger(granted));
    number = parts_.state.Changed();
  }
  // It has departed meanwhile, when it held nothing yet.
  if (!parts_.active_pods.Uids()->contains(pod_.uid)) parts_.leftovers.LookAgain();
  const absl::Status durable = parts_.checkpoint.WaitDurable(number);
  durable_ = durable.ok();
  if (!durable_) TakeBack(granted);
  return durable;
}

void PodAllocation::TakeBack(const std::vector<Granted>& committed) {
  MutexLock lock(&parts_.state.mu);
  for (const Granted& one : committed) parts_.state.ledger.RemoveEntry(one.holder);
  parts_.state.Changed();
}

}  // namespace kubelet_cm::deviceplugin
