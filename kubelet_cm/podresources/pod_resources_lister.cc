#include "kubelet_cm/podresources/pod_resources_lister.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "dra/plugin/shown_text.h"

namespace kubelet_cm::podresources {
namespace {

using Call = PodResourcesMetrics::Call;
using Method = PodResourcesRules::Method;
using RepeatedDevices = google::protobuf::RepeatedPtrField<::v1::ContainerDevices>;

absl::Status CheckMethod(Method method, absl::string_view name, absl::string_view shown_name) {
  switch (method) {
    case Method::kServed:
      return absl::OkStatus();
    case Method::kDisabled:
      return absl::UnknownError(absl::StrCat("PodResources API ", shown_name, " disabled"));
    case Method::kMissing:
      return absl::UnimplementedError(absl::StrCat("unknown method ", name, " for service v1.PodResourcesLister"));
  }
  return absl::OkStatus();
}

// One entry for each device and NUMA node.
void AddDevices(const deviceplugin::HeldDevices& held, RepeatedDevices* entries) {
  const auto add = [entries](const std::string& resource, const std::string& id) {
    ::v1::ContainerDevices* const entry = entries->Add();
    entry->set_resource_name(resource);
    entry->add_device_ids(id);
    return entry;
  };
  for (const auto& [resource, devices] : held) {
    for (const auto& [id, nodes] : devices) {
      if (nodes.empty()) add(resource, id);
      for (const int64_t node : nodes) add(resource, id)->mutable_topology()->add_nodes()->set_id(node);
    }
  }
}

void AddClaim(const dra::ContainerClaimInfo& claim, ::v1::DynamicResource* message) {
  message->set_class_name(claim.class_name);
  message->set_claim_name(claim.claim_name);
  message->set_claim_namespace(claim.claim_namespace);
  for (const dra::ClaimedDevice& device : claim.devices) {
    ::v1::ClaimResource* const resource = message->add_claim_resources();
    for (const std::string& id : device.cdi_device_ids) resource->add_cdi_devices()->set_name(id);
    resource->set_driver_name(device.driver_name);
    resource->set_pool_name(device.pool_name);
    resource->set_device_name(device.device_name);
    if (device.share_id.has_value()) resource->set_share_id(*device.share_id);
  }
}

}  // namespace

// What could not be told of claims: the first error, and how many there were. One line a call, however many pods are
// not prepared yet.
class PodResourcesLister::ClaimErrors {
 public:
  explicit ClaimErrors(Logger& log) : log_(log) {}
  ~ClaimErrors() {
    if (count_ == 0) return;
    log_.Error(first_, "Unable to get container claim info state",
               {{"podUID", pod_uid_}, {"containerName", container_}, {"containers", count_}});
  }
  ClaimErrors(const ClaimErrors&) = delete;
  ClaimErrors& operator=(const ClaimErrors&) = delete;

  void Add(const Pod& pod, const Container& container, const absl::Status& error) {
    if (count_++ > 0) return;
    first_ = error;
    pod_uid_ = pod.uid;
    container_ = container.name;
  }

 private:
  Logger& log_;
  int64_t count_ = 0;
  absl::Status first_;
  std::string pod_uid_;
  std::string container_;
};

void PodResourcesLister::List(::v1::ListPodResourcesResponse* response) {
  deps_.metrics.CountCall(Call::kList);
  deps_.source.CollectLeftovers();
  const PodResourcesSource::Pods pods = rules_.lists_active ? deps_.source.ActivePods() : deps_.source.AllPods();
  response->mutable_pod_resources()->Reserve(static_cast<int>(pods.size()));
  ClaimErrors errors(deps_.log);
  for (const auto& pod : pods) AddPod(*pod, response->add_pod_resources(), errors);
}

void PodResourcesLister::AddPod(const Pod& pod, ::v1::PodResources* message, ClaimErrors& errors) {
  message->set_name(pod.name);
  message->set_namespace_(pod.namespace_name);
  // Sidecars come before app containers in the pod's order.
  for (const Container& container : pod.containers) {
    if (container.kind == ContainerKind::kInit) continue;
    if (container.kind == ContainerKind::kSidecar && !rules_.sidecars) continue;
    AddContainer(pod, container, message->add_containers(), errors);
  }
}

void PodResourcesLister::AddContainer(const Pod& pod, const Container& container, ::v1::ContainerResources* message,
                                      ClaimErrors& errors) {
  message->set_name(container.name);
  AddDevices(deps_.source.DevicesOf(pod, container), message->mutable_devices());
  if (!rules_.claims) return;
  const absl::StatusOr<std::vector<dra::ContainerClaimInfo>> claims = deps_.source.ClaimsOf(pod, container);
  if (!claims.ok()) return errors.Add(pod, container, claims.status());
  for (const dra::ContainerClaimInfo& claim : *claims) AddClaim(claim, message->add_dynamic_resources());
}

absl::Status PodResourcesLister::GetAllocatable(::v1::AllocatableResourcesResponse* response) {
  deps_.metrics.CountCall(Call::kGetAllocatable);
  const absl::Status served = CheckMethod(rules_.get_allocatable, "GetAllocatableResources", "GetAllocatableResources");
  if (!served.ok()) {
    deps_.metrics.CountError(Call::kGetAllocatable);
    return served;
  }
  AddDevices(deps_.source.AllocatableDevices(), response->mutable_devices());
  return absl::OkStatus();
}

absl::Status PodResourcesLister::Get(const ::v1::GetPodResourcesRequest& request,
                                     ::v1::GetPodResourcesResponse* response) {
  deps_.metrics.CountCall(Call::kGet);
  absl::Status status = CheckMethod(rules_.get, "Get", "Get method");
  if (status.ok()) {
    const PodResourcesSource::Pods pods = rules_.gets_active ? deps_.source.ActivePods() : deps_.source.AllPods();
    const auto pod = std::find_if(pods.begin(), pods.end(), [&](const auto& other) {
      return other->name == request.pod_name() && other->namespace_name == request.pod_namespace();
    });
    if (pod != pods.end()) {
      ClaimErrors errors(deps_.log);
      AddPod(**pod, response->mutable_pod_resources(), errors);
      return absl::OkStatus();
    }
    status = absl::UnknownError(absl::StrCat("pod ", dra::Shown(request.pod_name()), " in namespace ",
                                             dra::Shown(request.pod_namespace()), " not found"));
  }
  deps_.metrics.CountError(Call::kGet);
  return status;
}

void PodResourcesLister::ListOld(::v1alpha1::ListPodResourcesResponse* response) {
  deps_.metrics.CountOldList();
  deps_.source.CollectLeftovers();
  for (const auto& pod : deps_.source.AllPods()) {
    ::v1alpha1::PodResources* const message = response->add_pod_resources();
    message->set_name(pod->name);
    message->set_namespace_(pod->namespace_name);
    for (const Container& container : pod->containers) {
      if (container.kind != ContainerKind::kApp) continue;
      ::v1alpha1::ContainerResources* const resources = message->add_containers();
      resources->set_name(container.name);
      for (const auto& [resource, devices] : deps_.source.DevicesOf(*pod, container)) {
        ::v1alpha1::ContainerDevices* const entry = resources->add_devices();
        entry->set_resource_name(resource);
        for (const auto& [id, nodes] : devices) entry->add_device_ids(id);
      }
    }
  }
}

}  // namespace kubelet_cm::podresources
