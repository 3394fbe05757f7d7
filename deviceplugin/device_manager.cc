#include "deviceplugin/device_manager.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status/status_macros.h"
#include "deviceplugin/container_start.h"

namespace kubelet_cm::deviceplugin {
namespace {

HistogramFamily AllocationDuration(MetricsRegistry& metrics) {
  return metrics.AddHistogram({.name = "kubelet_device_plugin_alloc_duration_seconds",
                               .help =
                                   "[ALPHA] Duration in seconds to serve a device plugin Allocation request. Broken "
                                   "down by resource name.",
                               .labels = {"resource_name"}});
}

void LogProblems(const std::vector<CheckpointProblem>& problems, Logger& log) {
  for (const CheckpointProblem& problem : problems) {
    log.Error("Found a problem in the checkpoint file", {{"problem", problem.text}});
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<DeviceManager>> DeviceManager::New(const DeviceManagerDependencies& dependencies,
                                                                  const DeviceManagerOptions& options,
                                                                  NodeStart node_start) {
  return NewBeside(dependencies, options, [&]() -> absl::StatusOr<NodeStart> { return std::move(node_start); });
}

absl::StatusOr<std::unique_ptr<DeviceManager>> DeviceManager::NewBeside(const DeviceManagerDependencies& dependencies,
                                                                        const DeviceManagerOptions& options,
                                                                        FindNodeStart find_node_start) {
  if (options.folder.empty() || options.folder.front() != '/') {
    return absl::InvalidArgumentError(absl::StrCat("bad socketPath, must be an absolute path: ", options.folder));
  }
  dependencies.log.V(2).Info("Creating Device Plugin manager",
                             {{"path", absl::StrCat(options.folder, "/kubelet.sock")}});
  dependencies.log.V(2).Info("Starting Device Plugin manager");
  ASSIGN_OR_RETURN(std::unique_ptr<CheckpointManager> files,
                   CheckpointManager::New(dependencies.files, dependencies.random, options.folder));
  ASSIGN_OR_RETURN(DeviceRestore restored, RestoreDevices({.manager = *files,
                                                           .file_system = dependencies.files,
                                                           .clock = dependencies.threads.clock(),
                                                           .policy = options.recover},
                                                          *options.kubelet, dependencies.log));
  std::vector<CheckpointProblem> problems;
  std::unique_ptr<DeviceManager> manager(new DeviceManager(
      dependencies, options, {.files = std::move(files), .restored = std::move(restored)}, &problems));
  ASSIGN_OR_RETURN(manager->node_start_, find_node_start());
  LogProblems(problems, dependencies.log);
  return manager;
}

DeviceManager::DeviceManager(const DeviceManagerDependencies& dependencies, const DeviceManagerOptions& options,
                             Found found, std::vector<CheckpointProblem>* problems)
    : deps_(dependencies),
      options_(options),
      rules_(RulesOf(*options_.kubelet)),
      outcome_(found.restored.outcome),
      allocation_duration_(AllocationDuration(deps_.metrics)),
      files_(std::move(found.files)),
      work_(deps_.threads, "work for the device manager's housekeeper"),
      state_(found.restored, deps_.threads.clock().MonotonicNow(), problems, options_.limits, rules_.inventory),
      checkpoint_(*files_, deps_.threads, state_, *options_.kubelet, std::move(found.restored)),
      leftovers_(deps_.active_pods, state_, deps_.log, rules_),
      hints_({.state = state_, .leftovers = leftovers_, .node_start = node_start_, .log = deps_.log},
             options_.numa_nodes, rules_),
      plugins_({.threads = deps_.threads,
                .log = deps_.log,
                .state = state_,
                .pod_updates = deps_.pod_updates,
                .events = deps_.events,
                .changed = work_,
                .connect = deps_.connect,
                .rules = rules_},
               options_.timeouts),
      housekeeper_({.threads = deps_.threads,
                    .log = deps_.log,
                    .state = state_,
                    .checkpoint = checkpoint_,
                    .plugins = plugins_,
                    .work = work_}) {}

DeviceManager::~DeviceManager() = default;

AllocationParts DeviceManager::Parts() {
  return {.state = state_,
          .checkpoint = checkpoint_,
          .plugins = plugins_,
          .active_pods = deps_.active_pods,
          .leftovers = leftovers_,
          .node_start = node_start_,
          .clock = deps_.threads.clock(),
          .log = deps_.log,
          .changed = work_,
          .duration = allocation_duration_,
          .no_topology_key = options_.kubelet->no_topology_key,
          .cdi_devices = options_.cdi_devices && rules_.cdi_names,
          .cdi_annotations = options_.kubelet->device_cdi_annotations,
          .rules = rules_};
}

absl::StatusOr<std::unique_ptr<PodAllocation>> DeviceManager::BeginAllocation(const Pod& pod) {
  return PodAllocation::New(Parts(), pod);
}

absl::Status DeviceManager::AllocatePod(const Pod& pod) {
  ASSIGN_OR_RETURN(const std::unique_ptr<PodAllocation> allocation, BeginAllocation(pod));
  for (const Container& container : pod.containers) {
    RETURN_IF_ERROR(allocation->Allocate(container, std::nullopt));
  }
  return allocation->Commit();
}

absl::StatusOr<std::optional<RunOptions>> DeviceManager::ContainerRunOptions(const Pod& pod,
                                                                             const Container& container) {
  // A container whose devices are allocated only now may need those of a departed pod.
  CollectLeftovers();
  return PrepareContainerStart(Parts(), pod, container);
}

absl::Status DeviceManager::Flush() {
  uint64_t number = 0;
  {
    MutexLock lock(&state_.mu);
    number = state_.number;
  }
  return checkpoint_.WaitDurable(number);
}

DeviceInventory::Capacity DeviceManager::GetCapacity() {
  DeviceInventory::Capacity capacity;
  {
    MutexLock lock(&state_.mu);
    capacity = state_.inventory.GetCapacity(deps_.threads.clock().MonotonicNow());
    if (!capacity.deleted.empty()) state_.RegisteredChanged();
  }
  if (!capacity.deleted.empty()) work_.Set();
  return capacity;
}

HeldDevices DeviceManager::ContainerDevices(const std::string& pod_uid, const std::string& container_name) {
  std::vector<DeviceEntry> entries;
  {
    MutexLock lock(&state_.mu);
    entries = state_.ledger.EntriesOf(pod_uid, container_name);
  }
  return DevicesOf(entries);
}

HeldDevices DeviceManager::AllocatableDevices() const {
  absl::btree_map<std::string, std::shared_ptr<const DeviceList>> lists;
  absl::btree_map<std::string, bool> served;
  {
    MutexLock lock(&state_.mu);
    for (const std::string& resource : state_.inventory.KnownResources()) {
      lists.emplace(resource, state_.inventory.SharedDevices(resource));
      served.emplace(resource, state_.inventory.Primary(resource).has_value());
    }
  }
  HeldDevices allocatable;
  for (const auto& [resource, list] : lists) {
    if (list == nullptr || list->size() == 0) continue;
    NodesPerDevice& devices = allocatable[resource];
    if (!served.at(resource) && !rules_.unhealthy_allocatable) continue;
    for (const ListedDevice& device : list->devices()) {
      if (!device.healthy && !rules_.unhealthy_allocatable) continue;
      devices.emplace(device.id, std::vector<int64_t>(device.numa_nodes.begin(), device.numa_nodes.end()));
    }
  }
  deps_.log.V(4).Info("GetAllocatableDevices", {{"known", lists.size()}, {"allocatable", allocatable.size()}});
  return allocatable;
}

std::optional<ResourceCounts> DeviceManager::RaiseAllocatable(const std::string& pod_uid,
                                                              const ResourceCounts& allocatable) const {
  MutexLock lock(&state_.mu);
  return RaisedAllocatable(pod_uid, state_.ledger, allocatable);
}

void DeviceManager::UpdateStatus(const Pod& pod, const Container& container,
                                 std::vector<AllocatedResourceStatus>* statuses) const {
  MutexLock lock(&state_.mu);
  const auto health = [&](const std::string& resource, std::string_view id) {
    state_.mu.AssertHeld();
    return rules_.shows_unknown ? state_.inventory.HealthOf(resource, id)
                                : state_.inventory.LastReportedHealth(resource, id);
  };
  UpdateDeviceStatus(container, state_.ledger.EntriesOf(pod.uid, container.name), health, statuses);
}

void DeviceManager::CollectLeftovers() {
  leftovers_.Collect();
  // Also when another has collected: nothing is written twice, and nothing stays unwritten.
  work_.Set();
}

}  // namespace kubelet_cm::deviceplugin
